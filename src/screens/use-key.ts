import { useState } from 'react'
import { ApiError, newKey } from '../platform/http/browser/http.ts'
import { isLost, REPEATED } from './button-keys.ts'

/**
 * The Idempotency-Key of a form that is open: made when it opens and kept until what it holds has been done, so that one form
 * makes one row however often it is sent.
 */
export class FormKey {
  #key = newKey()
  /** What was sent last, as text. */
  #sent: string | undefined
  /** What was sent without an answer; null for what another window may have sent under this key. */
  #lost: string | null | undefined

  /** The key, as a draft keeps it. */
  get key(): string {
    return this.#key
  }

  /**
   * The key to send something with.
   * @param isChange a row that is there is changed by it: other values than those whose answer was lost are another change
   */
  keyFor(body: unknown, isChange = false): string {
    const text = JSON.stringify(body)
    if (isChange && this.#lost !== undefined && this.#lost !== text) this.renew()
    this.#sent = text
    return this.#key
  }

  /**
   * Takes note of an error.
   * @returns true when what was sent before has been done, although its answer was lost: the new values are not
   */
  failed(error: unknown): boolean {
    const isDone =
      error instanceof ApiError && error.code === REPEATED && this.#lost !== undefined && this.#lost !== this.#sent
    if (isLost(error)) this.#lost = this.#sent
    return isDone
  }

  /** Goes on with a draft under its key: it may have been sent before. */
  goOn(key: string): void {
    this.#key = key
    this.#lost = null
  }

  /** What was sent has been done, or is to be done once more: what follows is something new. */
  renew(): void {
    this.#key = newKey()
    this.#lost = undefined
  }
}

/** The {@link FormKey} of a component that is a form. */
export const useKey = (): FormKey => useState(() => new FormKey())[0]
