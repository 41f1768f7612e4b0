/* Parses a file with md4c and does nothing with what it finds: Debian has the
 * library but no program of it in every release. Build: cc -O2 parse.c -lmd4c */
#include <md4c.h>
#include <stdio.h>
#include <stdlib.h>

static int block(MD_BLOCKTYPE type, void *detail, void *data) { return 0; }
static int span(MD_SPANTYPE type, void *detail, void *data) { return 0; }
static int text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *data) { return 0; }

int main(int argc, char **argv) {
  FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
  long size;
  char *source;
  MD_PARSER parser = {0, MD_DIALECT_COMMONMARK, block, block, span, span, text, NULL, NULL};
  if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
    fputs("usage: parse FILE\n", stderr);
    return 2;
  }
  rewind(f);
  source = malloc(size + 1);
  if (source == NULL || fread(source, 1, size, f) != (size_t)size) return 1;
  return md_parse(source, (MD_SIZE)size, &parser, NULL) == 0 ? 0 : 1;
}
