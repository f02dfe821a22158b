import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { undoSeconds } from '#engine'
import { ExamineResult, ExamineStage } from '#schemas/dictionaries/sign-up'
import { call } from '../../../platform/http/browser/call.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { t } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { useDraft } from '../../../screens/use-draft.tsx'
import { useKey } from '../../../screens/use-key.ts'
import { offerUndo } from '../../../screens/window/undo.tsx'
import {
  type Advice,
  claimSignup,
  examineSignup,
  type ReviewInfo,
  recheckSignup,
  reviewInfo,
  revokeReview,
  type Stage,
  workList,
} from '../contract.ts'
import type { Marks } from './FormView.tsx'
import { filterOf } from './filter-of.ts'

/** Somebody was quicker, or the candidate changed it: the text stays, the page is read again. */
const overtaken: readonly number[] = [REFUSAL.review.taken, REFUSAL.review.signupChanged, REFUSAL.row.changed]

/** What a decision says: 1 passed, 2 refused, 3 returned. */
export type Verdict = 1 | 2 | 3

const stages: readonly Stage[] = [ExamineStage.first, ExamineStage.second, ExamineStage.reassignment]
const stageOf = (text: string | null): Stage => stages.find(one => String(one) === text) ?? ExamineStage.first

/** What a decision is called once it is made, with whose it is. */
const said: Readonly<Record<Stage, Readonly<Record<Verdict, string>>>> = {
  [ExamineStage.first]: {
    [ExamineResult.approved]: '{{name}}：审核通过',
    [ExamineResult.rejected]: '{{name}}：审核不通过',
    [ExamineResult.returned]: '{{name}}：已退回修改',
  },
  [ExamineStage.second]: {
    [ExamineResult.approved]: '{{name}}：复审通过',
    [ExamineResult.rejected]: '{{name}}：复审不通过',
    [ExamineResult.returned]: '{{name}}：已退回初审',
  },
  [ExamineStage.reassignment]: {
    [ExamineResult.approved]: '{{name}}：改报通过',
    [ExamineResult.rejected]: '{{name}}：改报不通过',
    [ExamineResult.returned]: '{{name}}：改报不通过',
  },
}

/** Which of how many a sign-up is. */
type Place = NonNullable<ReviewInfo['place']>

/** The lists one returns to. */
export const lists: Record<Stage, string> = {
  [ExamineStage.first]: '/examine/list',
  [ExamineStage.second]: '/examine/review',
  [ExamineStage.reassignment]: '/examine/move',
}

/** A desk on which nothing has been written. */
const blank = { remark: '', marks: {} }

/** Says why what was decided waits again; the history keeps it. */
const undoReason = '10 秒内撤销'

/**
 * One sign-up under review: what is known of it, what the reviewer has written, and the decision.
 * @param focus puts the cursor into the opinion
 */
export function useReview(focus: () => void) {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const stage = stageOf(params.get('stage'))
  const go = useNavigate()
  /** Where the page before has counted to: those decided are still among the number one began with. */
  const counted = (useLocation().state as { place?: Place } | null)?.place
  const client = useQueryClient()
  const { modal, message } = App.useApp()
  const asked = useMemo(() => ({ ...filterOf(params), stage }), [params, stage])
  const read = useEndpoint(reviewInfo, { signUpId: id, ...asked })
  const [remark, setRemark] = useState('')
  const [marks, setMarks] = useState<Marks>({})
  const [busy, setBusy] = useState(false)
  const draft = useDraft({
    form: 'examine',
    rowId: `${id}-${stage}`,
    fields: {},
    start: blank,
    key: useKey(),
    onRestore: restored => {
      setRemark(String(restored.remark ?? remark))
      setMarks((restored.marks as Marks | undefined) ?? marks)
    },
  })
  /** A decision was asked for that needs an opinion. */
  const [isLacking, setLacking] = useState(false)
  /** As `busy`, at once: two keys may come before the page is drawn again. */
  const sending = useRef(false)
  /** What was decided and is about to give way to the next one. */
  const leaving = useRef('')
  /** The key that was pressed while the next one was on its way. */
  const queued = useRef<Verdict>(undefined)
  const info = read.data
  const nextId = info?.nextId ?? ''
  const may = useCanChange(stage === ExamineStage.second ? 'examine_recheck' : 'examine_act')
  /** There is something to decide for this person: buttons and keys both ask it. */
  const isOpen =
    may && info?.signup.id === id && Boolean(stage === ExamineStage.second ? info?.can.review : info?.can.examine)

  // A new sign-up begins with an empty desk. One that is only shown again keeps what was written.
  const [desk, setDesk] = useState(`${id} ${stage}`)
  if (desk !== `${id} ${stage}`) {
    setDesk(`${id} ${stage}`)
    setRemark('')
    setMarks({})
    setLacking(false)
  }

  useEffect(() => {
    if (leaving.current !== id) leaving.current = ''
  }, [id])

  // It shows others that it is being looked at.
  useEffect(() => {
    if (stage !== ExamineStage.second) call(claimSignup, { signUpId: id }, { pass: 'all' }).catch(() => undefined)
  }, [id, stage])

  // The next one is fetched while this one is read, so that it opens at once.
  useEffect(() => {
    if (nextId)
      void client.prefetchQuery({
        queryKey: [reviewInfo.path, { signUpId: nextId, ...asked }],
        queryFn: () => call(reviewInfo, { signUpId: nextId, ...asked }, { pass: 'all' }),
      })
  }, [client, nextId, asked])

  const place = counted ?? info?.place ?? undefined
  const ahead = place && { at: Math.min(place.at + 1, place.of), of: place.of }
  const open = (other: string, at: Place | undefined = ahead) => {
    const kept = new URLSearchParams(params)
    kept.delete('revoke')
    return go(`/examine/info/${other}?${kept}`, { state: at && { place: at } })
  }
  const write = (text: string): void => {
    setRemark(text)
    draft.changed({ remark: text, marks })
    setLacking(false)
  }
  const mark = (advice: Advice | null, key: string) => {
    const { [key]: _old, ...rest } = marks
    const next = advice ? { ...rest, [key]: advice } : rest
    setMarks(next)
    draft.changed({ remark, marks: next })
  }

  async function send(verdict: Verdict): Promise<void> {
    const advisementList = Object.values(marks)
    const common = { signUpId: id, advisementList, version: info?.version, filter: filterOf(params) }
    const pass = { pass: overtaken }
    const answer =
      stage === ExamineStage.second
        ? await call(recheckSignup, { ...common, reviewResult: verdict, reviewRemark: remark }, pass)
        : await call(examineSignup, { ...common, examineResult: verdict, examineResultRemark: remark }, pass)
    draft.saved()
    leaving.current = id
    const name = info?.signup.name
    const text = t(said[info?.can.move ? ExamineStage.reassignment : stage][verdict], { name })
    const again = (): void => {
      void client.invalidateQueries({ queryKey: [workList.path] })
      client.removeQueries({ queryKey: [reviewInfo.path] })
    }
    const undo = async (): Promise<void> => {
      await call(revokeReview, { signUpId: id, reason: undoReason, version: answer.version, undo: true })
      again()
      void message.success(t('{{name}}：已撤销，重新待审', { name }))
      open(id, place)
    }
    const reopen = (): void => {
      again()
      void go(`/examine/info/${id}?${params}&revoke=1`)
    }
    // A choice of another position is final.
    if (info?.can.move) void message.success(text)
    else offerUndo(message, { said: text, seconds: undoSeconds, run: undo, reopen })
    void client.invalidateQueries({ queryKey: [workList.path] })
    client.removeQueries({ queryKey: [reviewInfo.path, { signUpId: id, ...asked }] })
    if (answer.nextId) open(answer.nextId)
    else go(lists[stage])
  }

  async function decide(verdict: Verdict): Promise<void> {
    if (sending.current || leaving.current === id || read.isPending) {
      queued.current = verdict
      return
    }
    // Who has chosen another position has nothing to correct.
    if (!info || !isOpen || (verdict === ExamineResult.returned && info.can.move)) return
    if (
      verdict !== ExamineResult.approved &&
      !remark.trim() &&
      !Object.values(marks).some(one => !one.ok && one.opinion?.trim())
    ) {
      setLacking(true)
      focus()
      return
    }
    sending.current = true
    setBusy(true)
    await send(verdict).catch((error: unknown) => {
      queued.current = undefined
      if (!(error instanceof ApiError) || !overtaken.includes(error.code)) return
      modal.warning({
        title: error.message,
        content: t('您写的意见已保留，可复制后再处理'),
        okText: t('刷新'),
        onOk: () => read.refetch().then(() => undefined),
      })
    })
    sending.current = false
    setBusy(false)
  }

  // What was pressed while this one was on its way is meant for it; without buttons it means nothing.
  const latest = useRef(decide)
  latest.current = decide
  useEffect(() => {
    if (busy || leaving.current === id || info?.signup.id !== id || !queued.current) return
    const verdict = queued.current
    queued.current = undefined
    void latest.current(verdict)
  }, [busy, info, id])

  const asksReason = params.has('revoke')
  return {
    id,
    stage,
    info,
    isOpen,
    read,
    remark,
    write,
    draft: draft.bar,
    isLacking,
    marks,
    mark,
    busy,
    decide,
    open,
    place,
    asksReason,
  }
}
