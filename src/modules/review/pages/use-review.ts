import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { ExamineResult, ExamineStage } from '#schemas/dictionaries/sign-up'
import { call } from '../../../platform/http/browser/call.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { t } from '../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import {
  type Advice,
  claimSignup,
  examineSignup,
  type ReviewFilter,
  recheckSignup,
  reviewInfo,
  type Stage,
  workList,
} from '../contract.ts'
import type { Marks } from './FormView.tsx'

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

/** Filters of a list that the next sign-up comes from, too. */
const filters = ['examId', 'unit', 'code', 'name', 'precheckLevel', 'again']
const numbers = ['precheckLevel', 'again']

/** The filter of the list a review was opened from, as its address carries it. */
const filterOf = (params: URLSearchParams): ReviewFilter =>
  Object.fromEntries(
    [...params]
      .filter(([name]) => filters.includes(name))
      .map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
  )

/** The lists one returns to. */
export const lists: Record<Stage, string> = {
  [ExamineStage.first]: '/examine/list',
  [ExamineStage.second]: '/examine/review',
  [ExamineStage.reassignment]: '/examine/move',
}

/** One sign-up under review: what is known of it, what the reviewer has written, and the decision. */
export function useReview() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const stage = stageOf(params.get('stage'))
  const go = useNavigate()
  const client = useQueryClient()
  const { modal, message } = App.useApp()
  const asked = useMemo(() => ({ ...filterOf(params), stage }), [params, stage])
  const read = useEndpoint(reviewInfo, { signUpId: id, ...asked })
  const [remark, setRemark] = useState('')
  const [marks, setMarks] = useState<Marks>({})
  const [busy, setBusy] = useState(false)
  const info = read.data
  const nextId = info?.nextId ?? ''
  const may = useCan(stage === ExamineStage.second ? 'examine_recheck' : 'examine_act')
  /** There is something to decide for this person: buttons and keys both ask it. */
  const isOpen = may && Boolean(stage === ExamineStage.second ? info?.can.review : info?.can.examine)

  // A new sign-up begins with an empty desk. One that is only shown again keeps what was written.
  const [desk, setDesk] = useState(`${id} ${stage}`)
  if (desk !== `${id} ${stage}`) {
    setDesk(`${id} ${stage}`)
    setRemark('')
    setMarks({})
  }

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

  const open = (other: string) => go(`/examine/info/${other}?${params}`)
  const mark = (advice: Advice | null, key: string) =>
    setMarks(({ [key]: _old, ...rest }) => (advice ? { ...rest, [key]: advice } : rest))

  async function send(verdict: Verdict): Promise<void> {
    const advisementList = Object.values(marks)
    const common = { signUpId: id, advisementList, version: info?.version, filter: filterOf(params) }
    const pass = { pass: overtaken }
    const answer =
      stage === ExamineStage.second
        ? await call(recheckSignup, { ...common, reviewResult: verdict, reviewRemark: remark }, pass)
        : await call(examineSignup, { ...common, examineResult: verdict, examineResultRemark: remark }, pass)
    message.success(t(said[info?.can.move ? ExamineStage.reassignment : stage][verdict], { name: info?.signup.name }))
    void client.invalidateQueries({ queryKey: [workList.path] })
    client.removeQueries({ queryKey: [reviewInfo.path, { signUpId: id, ...asked }] })
    if (answer.nextId) open(answer.nextId)
    else go(lists[stage])
  }

  async function decide(verdict: Verdict): Promise<void> {
    // Who has chosen another position has nothing to correct.
    if (busy || !info || !isOpen || (verdict === ExamineResult.returned && info.can.move)) return
    if (
      verdict !== ExamineResult.approved &&
      !remark.trim() &&
      !Object.values(marks).some(one => !one.ok && one.opinion?.trim())
    ) {
      return void message.warning(t('不通过或退回时必须填写审核意见'))
    }
    setBusy(true)
    await send(verdict).catch((error: unknown) => {
      if (!(error instanceof ApiError) || !overtaken.includes(error.code)) return
      modal.warning({
        title: error.message,
        content: t('您写的意见已保留，可复制后再处理'),
        okText: t('刷新'),
        onOk: () => read.refetch().then(() => undefined),
      })
    })
    setBusy(false)
  }

  return { id, stage, info, isOpen, read, remark, setRemark, marks, mark, busy, decide, open }
}
