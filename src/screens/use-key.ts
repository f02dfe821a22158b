import { useRef } from 'react'
import { ApiError, newKey } from '../platform/http/browser/http.ts'

/** The server's own error: nobody knows what was done before it. */
const FAULT = 500
/** The first one of the same calls is still under way. */
const RUNNING = REFUSAL.input.repeated

/**
 * The Idempotency-Key of a form that is open. What is sent again unchanged after its answer was lost carries the same key and
 * is done once; after a refusal, or with other values, it is something new.
 */
export function useKey(): { keyFor: (body: unknown) => string; failed: (error: unknown) => void } {
  const sent = useRef<{ key: string; body: string }>(undefined)
  return {
    keyFor: body => {
      const text = JSON.stringify(body)
      if (sent.current?.body !== text) sent.current = { key: newKey(), body: text }
      return sent.current.key
    },
    failed: error => {
      if (error instanceof ApiError && error.code !== FAULT && error.code !== RUNNING) sent.current = undefined
    },
  }
}
