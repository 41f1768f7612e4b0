/* Parses documents with md4c and does nothing with what it finds: Debian has the
 * library but no program of it in every release. Build: cc -O2 parse.c -lmd4c
 *
 *   parse FILE          a document
 *   parse -packed FILE  documents, each behind a line with its size in bytes */
#include <md4c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int block(MD_BLOCKTYPE type, void *detail, void *data) { return 0; }
static int span(MD_SPANTYPE type, void *detail, void *data) { return 0; }
static int text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *data) { return 0; }

static MD_PARSER parser = {0, MD_DIALECT_COMMONMARK, block, block, span, span, text, NULL, NULL};

static int packed(const char *at, const char *end) {
  while (at < end) {
    char *document;
    unsigned long size = strtoul(at, &document, 10);
    document++;
    if (size > (unsigned long)(end - document) || md_parse(document, (MD_SIZE)size, &parser, NULL) != 0) return 1;
    at = document + size;
  }
  return 0;
}

int main(int argc, char **argv) {
  FILE *f = argc > 1 ? fopen(argv[argc - 1], "rb") : NULL;
  long size;
  char *source;
  if (f == NULL || argc > 3 || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
    fputs("usage: parse [-packed] FILE\n", stderr);
    return 2;
  }
  rewind(f);
  source = malloc(size + 1);
  if (source == NULL || fread(source, 1, size, f) != (size_t)size) return 1;
  source[size] = 0;
  if (argc == 3 && strcmp(argv[1], "-packed") == 0) return packed(source, source + size);
  return md_parse(source, (MD_SIZE)size, &parser, NULL) == 0 ? 0 : 1;
}
