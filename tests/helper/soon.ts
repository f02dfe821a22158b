import { vi } from 'vitest'

/**
 * Waits until a check passes, as long as a loaded machine may take.
 * @param check throws, or rejects, until what is waited for is there
 * @returns what it answers then
 */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 })

/**
 * The same for what takes long by itself.
 * @param timeout milliseconds
 */
export const eventually = <T>(check: () => T | Promise<T>, timeout: number): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 200 })
