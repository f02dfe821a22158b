import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { ApiError, call } from '../../http.ts'
import { t } from '../../i18n.ts'
import { useRead } from '../use-call.ts'
import type { Marks } from './FormView.tsx'
import type { Advice, ReviewInfo, Stage } from './types.ts'

const base = '/blade-signup/examine'
/** Somebody was quicker, or the candidate changed it: the text stays, the page is read anew. */
const overtaken = [22031, 22037, 29002]

/** What a decision says: 1 passed, 2 refused, 3 returned. */
export type Verdict = 1 | 2 | 3

const stageOf = (text: string | null): Stage => (text === '2' ? 2 : text === '3' ? 3 : 1)

/** The lists one returns to. */
const lists: Record<Stage, string> = { 1: '/examine/list', 2: '/examine/review', 3: '/examine/move' }

/** One sign-up on the reviewer's desk: what is known, what he has written, and his decision. */
export function useReview() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const stage = stageOf(params.get('stage'))
  const go = useNavigate()
  const client = useQueryClient()
  const { modal, message } = App.useApp()
  const read = useRead<ReviewInfo>(`${base}/getExamineInfo`, { signUpId: id, stage })
  const [remark, setRemark] = useState('')
  const [marks, setMarks] = useState<Marks>({})
  const [busy, setBusy] = useState(false)
  const info = read.data
  const nextId = info?.nextId ?? ''

  // A new sign-up begins with an empty desk. One that is only shown again keeps what was written.
  const [desk, setDesk] = useState(`${id} ${stage}`)
  if (desk !== `${id} ${stage}`) {
    setDesk(`${id} ${stage}`)
    setRemark('')
    setMarks({})
  }

  // It shows others that it is being looked at.
  useEffect(() => {
    if (stage !== 2) call('POST', `${base}/claim`, { data: { signUpId: id }, pass: 'all' }).catch(() => undefined)
  }, [id, stage])

  // The next one is fetched while this one is read, so that it opens at once.
  useEffect(() => {
    if (nextId)
      void client.prefetchQuery({
        queryKey: [`${base}/getExamineInfo`, { signUpId: nextId, stage }],
        queryFn: () => call('GET', `${base}/getExamineInfo`, { params: { signUpId: nextId, stage }, pass: 'all' }),
      })
  }, [client, nextId, stage])

  const open = (other: string) => go(`/examine/info/${other}?${params}`)
  const mark = (advice: Advice | null, key: string) =>
    setMarks(({ [key]: _old, ...rest }) => (advice ? { ...rest, [key]: advice } : rest))

  async function send(verdict: Verdict): Promise<void> {
    const advisementList = Object.values(marks)
    const common = { signUpId: id, advisementList, version: info?.version }
    const data =
      stage === 2
        ? { ...common, reviewResult: verdict, reviewRemark: remark }
        : { ...common, examineResult: verdict, examineResultRemark: remark }
    const answer = await call<{ nextId: string }>('POST', `${base}/${stage === 2 ? 'reviewInfo' : 'examine'}`, {
      data,
      pass: overtaken,
    })
    message.success(t('操作成功!'))
    void client.invalidateQueries({ queryKey: [`${base}/getExamineList`] })
    client.removeQueries({ queryKey: [`${base}/getExamineInfo`, { signUpId: id, stage }] })
    if (answer.nextId) open(answer.nextId)
    else go(lists[stage])
  }

  async function decide(verdict: Verdict): Promise<void> {
    // Who has chosen another position has nothing to correct.
    if (busy || !info || (verdict === 3 && info.can.move)) return
    if (verdict !== 1 && !remark.trim() && !Object.values(marks).some(one => !one.ok && one.opinion.trim())) {
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

  return { id, stage, info, read, remark, setRemark, marks, mark, busy, decide, open }
}
