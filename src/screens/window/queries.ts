import type { QueryClientConfig } from '@tanstack/react-query'

/** How answers of the server are kept: asked for again whenever a page is opened, and a failure is told at once. */
export const QUERIES: QueryClientConfig = {
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } },
}
