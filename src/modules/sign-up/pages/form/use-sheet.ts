import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import type { ExamForm } from './exam-form.ts'
import { dropLocal, keepLocal, readLocal } from './local-draft.ts'
import { type Base, type Submitted, useSending } from './sending.ts'
import { type Sheet, sheetOf } from './sheet.ts'

/** Milliseconds between two savings of a draft by itself. */
const EVERY = 60_000
/** Milliseconds after the last change in which this device keeps it. */
const SOON = 500
/** Somebody else, or the same person elsewhere, has saved in between. */
const CONFLICT = REFUSAL.row.changed

/** Where the changes are. `kept`: only on this device, because what was handed in cannot be a draft again. */
export type Saving = 'clean' | 'changed' | 'saving' | 'saved' | 'offline' | 'kept' | 'conflict' | 'refused'

/** True for a refusal of the server; anything else is the network. */
export const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError

const afterFailure = (error: unknown): Saving =>
  isRefusal(error) ? (error.code === CONFLICT ? 'conflict' : 'refused') : 'offline'

function start(form: ExamForm) {
  const mine = form.mySignup
  const base: Base =
    mine && mine.signStatus !== SignStatus.withdrawn ? { id: mine.id, version: mine.version } : { id: '', version: 0 }
  const local = form.canEdit ? readLocal(form.exam.examId) : undefined
  const follows = local?.version === base.version
  return {
    base,
    sheet: (follows && local?.sheet) || sheetOf(mine),
    restored: follows,
    other: follows ? undefined : local?.sheet,
  }
}

/** Saves by itself: on this device soon after a change and when the page is left, at the server every minute and when the network is back. */
function useKeeping(saving: Saving, sheet: Sheet, keep: () => void, save: () => Promise<boolean>): void {
  const keepNow = useEffectEvent(keep)
  const saveNow = useEffectEvent(() => void save())
  useEffect(() => {
    if (saving !== 'changed' || !sheet) return
    const now = (): void => keepNow()
    const timer = setTimeout(now, SOON)
    // Whoever leaves or reloads at once keeps the last change as well.
    addEventListener('pagehide', now)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', now)
    }
  }, [saving, sheet])
  const isWaiting = saving === 'changed' || saving === 'offline'
  useEffect(() => {
    if (!isWaiting) return
    const again = (): void => saveNow()
    const timer = setInterval(again, EVERY)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [isWaiting])
}

/** The newest sheet, known at once also to what runs before the next drawing. */
function useLatest(first: Sheet): [Sheet, RefObject<Sheet>, (next: Sheet) => void] {
  const [sheet, setSheet] = useState(first)
  const latest = useRef(first)
  const put = (next: Sheet): void => {
    latest.current = next
    setSheet(next)
  }
  return [sheet, latest, put]
}

/**
 * One form being filled in: the sheet and its way to the server. What could not be saved stays on this device: nothing
 * typed is lost by a refusal, a reload or a broken connection.
 * @param pass codes of refusals that the page shows itself
 */
export function useSheet(form: ExamForm, pass: readonly number[]) {
  const examId = form.exam.examId
  const [begin] = useState(() => start(form))
  const [sheet, latest, put] = useLatest(begin.sheet)
  const [saving, setSaving] = useState<Saving>(begin.restored ? 'changed' : 'clean')
  const [other, setOther] = useState(begin.other)
  const { base, send } = useSending(examId, begin.base, [CONFLICT, ...pass])
  const isDraft = (form.mySignup || undefined)?.signStatus !== SignStatus.submitted
  const keep = (): void => {
    keepLocal(examId, { sheet: latest.current, version: base.current.version, at: Date.now() })
  }
  const change = (part: Partial<Sheet>): void => {
    put({ ...latest.current, ...part })
    setSaving('changed')
  }
  const save = async (): Promise<boolean> => {
    const of = latest.current
    keep()
    if (!isDraft) {
      setSaving('kept')
      return true
    }
    setSaving('saving')
    try {
      await send(of, { draft: 1 })
      if (latest.current === of) dropLocal(examId)
      setSaving(latest.current === of ? 'saved' : 'changed')
      return true
    } catch (error) {
      setSaving(afterFailure(error))
      return false
    }
  }
  const submit = async (): Promise<Submitted> => {
    keep()
    try {
      const answer = await send(latest.current, { draft: 0, consentVersion: form.consentVersion })
      dropLocal(examId)
      setSaving('saved')
      return answer
    } catch (error) {
      setSaving(afterFailure(error))
      throw error
    }
  }
  useKeeping(saving, sheet, keep, save)
  /** Goes on with one of two sheets, on top of what the server has. */
  const settle = (chosen: Sheet, on: Base): void => {
    base.current = on
    put({ ...chosen, consent: false })
    setOther(undefined)
    setSaving('changed')
  }
  return { sheet, latest, change, saving, save, submit, other, settle, base, restored: begin.restored }
}

/** See {@link useSheet}. */
export type SheetState = ReturnType<typeof useSheet>
