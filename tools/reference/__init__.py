"""Pages of docs/api from the sources (tools/api)."""
