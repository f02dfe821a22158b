import { useState } from 'react'
import { ApiError, newKey } from '../platform/http/browser/http.ts'

/** The server's own error: nobody knows what was done before it. */
const FAULT = 500
/** The first one of the same calls is still under way, or something else has been done under the key. */
export const REPEATED = REFUSAL.input.repeated

/** Whether nobody knows if what was sent has been done. */
export const isLost = (error: unknown): boolean => !(error instanceof ApiError) || error.code === FAULT

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
