import { useRef } from 'react'
import type { AnswerOf, ValuesOf } from '#engine'
import { call } from '../../../../platform/http/browser/call.ts'
import { ApiError, newKey } from '../../../../platform/http/browser/http.ts'
import { submitSignup } from '../../contract.ts'
import { bodyOf, type Sheet } from './sheet.ts'

/** The sign-up a form belongs to and the version its changes stand on; an empty id for none yet. */
export interface Base {
  id: string
  version: number
}

/** What the server answers to a save. */
export type Submitted = AnswerOf<typeof submitSignup>

type Body = ValuesOf<typeof submitSignup>

/** A body on its way, with its key. */
interface Letter {
  data: Body
  key: string
}

/**
 * Sends sheets, one after another. The same form sent again carries the same key, so that it makes one sign-up however
 * often it arrives. A letter whose answer was lost is sent again before the next one: it may have arrived, and then the
 * next one has to stand on its version.
 * @param pass codes that the page shows itself
 */
export function useSending(examId: string, first: Base, pass: readonly number[]) {
  const base = useRef(first)
  const lost = useRef<Letter>(undefined)
  const line = useRef<Promise<unknown>>(Promise.resolve())

  const post = async ({ data, key }: Letter): Promise<Submitted> => {
    try {
      const answer = await call(submitSignup, data, { key, pass })
      lost.current = undefined
      base.current = { id: answer.id, version: answer.version }
      return answer
    } catch (error) {
      lost.current = error instanceof ApiError ? undefined : { data, key }
      throw error
    }
  }
  const letterFor = (sheet: Sheet, more: Partial<Body>): Letter => {
    const { id, version } = base.current
    const data = { examId, ...(id && { id, version }), ...bodyOf(sheet), ...more }
    const isSame = lost.current && JSON.stringify(lost.current.data) === JSON.stringify(data)
    return isSame && lost.current ? lost.current : { data, key: newKey() }
  }
  const send = async (sheet: Sheet, more: Partial<Body>): Promise<Submitted> => {
    const letter = letterFor(sheet, more)
    if (!lost.current || lost.current === letter) return post(letter)
    await post(lost.current).catch(error => {
      if (!(error instanceof ApiError)) throw error
    })
    return post(letterFor(sheet, more))
  }
  return {
    base,
    send: (sheet: Sheet, more: Partial<Body>): Promise<Submitted> => {
      const sent = line.current.then(() => send(sheet, more))
      line.current = sent.catch(() => undefined)
      return sent
    },
  }
}
