import { createRequire } from 'node:module'
import { workerData } from 'node:worker_threads'

/**
 * Finds packages that are large and wanted by few calls: read when the first document is made, not when the server
 * starts. In a thread they are found from where the program stands.
 */
export const load = createRequire((workerData as { from?: string } | null)?.from ?? import.meta.url)
