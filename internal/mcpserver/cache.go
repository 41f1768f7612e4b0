package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/documents"
)

// What the cache of parses has saved is a resource for those who watch a server. Each read of
// it writes the same into the log, too, at the level info.

const cacheURI = "sectile://cache"

func (s *server) addCache() {
	s.mcp.AddResource(&mcp.Resource{
		URI: cacheURI, Name: "cache", Title: "Statistics of the cache", MIMEType: "application/json",
		Description: "What the parses of documents that the server keeps have saved so far: hits, misses, and bytes that are kept.",
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		stats := s.workspace.CacheStats()
		s.log.Info("cache", cacheFields(stats)...)
		text, err := json.Marshal(stats)
		if err != nil {
			return nil, err
		}
		return resource(cacheURI, "application/json", text), nil
	})
}

// cacheFields are the statistics as fields of a line of the log.
func cacheFields(stats documents.CacheStats) []any {
	return []any{"cache_hits", stats.Hits, "cache_misses", stats.Misses, "cache_bytes", stats.Bytes}
}
