import { useState } from 'react'
import { ApiError, newKey } from '../platform/http/browser/http.ts'

/** The server's own error: nobody knows what was done before it. */
const FAULT = 500
/** The first one of the same calls is still under way, or something else has been done under the key. */
const REPEATED = REFUSAL.input.repeated

const isLost = (error: unknown): boolean => !(error instanceof ApiError) || error.code === FAULT

/**
 * The Idempotency-Key of a form that is open: made when it opens and kept until what it holds has been done, so that one form
 * makes one row however often it is sent.
 */
export class FormKey {
  #key: string
  /** What was sent last, as text. */
  #sent: string | undefined
  /** What was sent without an answer; null for what another window may have sent under this key. */
  #lost: string | null | undefined

  /** @param key of a draft that the form goes on with; a new one without it */
  constructor(key?: string) {
    this.#key = key ?? newKey()
    if (key !== undefined) this.#lost = null
  }

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

  /** What was sent has been done, or is to be done once more: what follows is something new. */
  renew(): void {
    this.#key = newKey()
    this.#lost = undefined
  }
}

/** The {@link FormKey} of a component that is a form. */
export const useKey = (): FormKey => useState(() => new FormKey())[0]

/**
 * Idempotency-Keys of what buttons do: the same thing has the same key while it is under way and after its answer was lost. Different
 * things may be under way at once.
 */
export class ButtonKeys {
  readonly #open = new Map<string, string>()

  /**
   * Does something under its key.
   * @param what tells it apart from other things that the button does
   * @param act makes the call
   * @throws whatever `act` throws
   */
  async once<T>(what: unknown, act: (key: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(what)
    const key = this.#open.get(text) ?? newKey()
    this.#open.set(text, key)
    try {
      const answer = await act(key)
      this.#open.delete(text)
      return answer
    } catch (error) {
      if (!isLost(error) && (error as ApiError).code !== REPEATED) this.#open.delete(text)
      throw error
    }
  }
}

/** The {@link ButtonKeys} of a component. */
export const useButtonKeys = (): ButtonKeys => useState(() => new ButtonKeys())[0]

/** What tells a file apart from others that are sent by the same button. */
export const fileMark = ({ name, size, lastModified }: File): readonly unknown[] => [name, size, lastModified]
