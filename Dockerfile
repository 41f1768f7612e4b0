# The image of a release: the program and nothing else, run by a user without rights.
# It is built from binaries that exist already, by goreleaser with a context that
# holds one for each platform; by hand:
#
#   mkdir -p linux/amd64
#   CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -o linux/amd64/sectile ./cmd/sectile
#   docker build --platform linux/amd64 .
#
# A folder of documents belongs in /work:
#
#   docker run -i --rm --user "$(id -u):$(id -g)" \
#     --mount type=bind,src="$PWD",dst=/work ghcr.io/sectile/sectile mcp --preset lean
#
# What the server writes belongs to the user that it runs as, who without --user may
# write in no folder of anybody's on Linux. There is no git and no jj here: plans are
# kept in a file (plan.store in .sectile.yaml), or the plan tools answer with an error.
# There is no /tmp either; `sectile doctor` alone wants one (--tmpfs /tmp).
#
# No base: the program is static, asks no name service and opens no connection, so that
# nothing here has to be pinned or kept up to date but itself.
FROM scratch

ARG TARGETPLATFORM
COPY --chmod=0755 ${TARGETPLATFORM}/sectile /usr/bin/sectile

# The MCP registry asks for it, as a proof that the image is that of the entry.
LABEL io.modelcontextprotocol.server.name="io.github.sectile/sectile"

USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/bin/sectile"]
CMD ["mcp"]
