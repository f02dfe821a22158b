import type { IncomingHttpHeaders } from 'node:http'

/** Calls a server over connections that are kept (`call.mjs`); answers whatever the status. */
export function call(
  address: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>
