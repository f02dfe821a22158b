import { Space, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ReviewStatus } from '#schemas/dictionaries/sign-up'
import { serverNow, timeOf } from '../../../platform/http/browser/clock.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import { shortTime } from '../../../screens/fields/short-time.ts'
import { TwoLines } from '../../../screens/parts/TwoLines.tsx'
import { PositionLink } from '../../exams/pages/parts/PositionLink.tsx'
import type { WorkRow } from '../contract.ts'
import '../../../screens/row-buttons.css'
import { PrecheckTag } from './PrecheckTag.tsx'
import { DecidedMenu } from './RevokeButton.tsx'
import { type ListKind, reviewAddress } from './work-kinds.ts'

/** A list as its rows are drawn. */
export interface Drawn {
  kind: ListKind
  t: (text: string, values?: Record<string, unknown>) => string
  /** What the list is asked for, to come back to it. */
  search: string
  /** What is listed has been decided. */
  isDecided: boolean
}

const HOUR = 3_600_000

/** How long somebody has waited since the sign-up was handed in. */
export function Waited({ row, t }: { row: WorkRow; t: Drawn['t'] }): ReactNode {
  const hours = Math.max(0, Math.floor((serverNow() - timeOf(row.submitTime)) / HOUR))
  const words = hours < 48 ? t('{{n}} 小时', { n: hours }) : t('{{n}} 天', { n: Math.floor(hours / 24) })
  return (
    <time title={row.submitTime} className="waited" data-late={hours >= 24 || undefined}>
      {words}
    </time>
  )
}

/** What has become of a sign-up. */
export const Decision = ({ row, kind }: { row: WorkRow; kind: ListKind }): ReactNode => (
  <Space size={4}>
    {kind === 'move' ? (
      <DictTag code="reduce_state" value={row.reduceState} />
    ) : (
      <DictTag code="examine_status" value={row.examine} />
    )}
    {row.reviewStatus > ReviewStatus.pending && <DictTag code="review_status" value={row.reviewStatus} />}
  </Space>
)

/** Where a row leads, and in which words. */
export const actOf = (row: WorkRow, { kind, t, search, isDecided }: Drawn) => ({
  to: reviewAddress(row.signUpId, kind, search),
  word: isDecided ? t('查看') : t('审核'),
})

/** What is done with a row: it is opened, and what was decided of it is taken back. */
export function RowActs({ row, drawn }: { row: WorkRow; drawn: Drawn }): ReactNode {
  const { to, word } = actOf(row, drawn)
  return (
    <div className="row-buttons">
      <Link to={to}>{word}</Link>
      {drawn.isDecided && drawn.kind === 'done' && <DecidedMenu row={row} />}
    </div>
  )
}

/** What a position is called. */
export const positionText = ({ code, postName }: WorkRow): string => `${code ?? ''} ${postName ?? ''}`.trim()

/** The columns of a list of reviews. */
export function workColumns(drawn: Drawn): TableColumnsType<WorkRow> {
  const { kind, t, isDecided } = drawn
  const times = ({ submitCount }: WorkRow) =>
    Number(submitCount) > 1 ? ` · ${t('第 {{n}} 次提交', { n: submitCount })}` : ''
  const column = (title: string, width: number, render: (row: WorkRow) => ReactNode) => ({
    title: t(title),
    key: title,
    width,
    ellipsis: true,
    render: (_: unknown, row: WorkRow) => render(row),
  })
  const decided = [
    column('结果', 150, row => <Decision row={row} kind={kind} />),
    column('意见', 200, row => row.examineRemark || '—'),
    column('审核人', 150, row => (
      <TwoLines below={row.examineTime && shortTime(row.examineTime)}>{row.examineUserName || '—'}</TwoLines>
    )),
  ]
  const open = [
    column('资格预检', 100, row => <PrecheckTag level={row.precheckMax} />),
    column('等了', 90, row => <Waited row={row} t={t} />),
    kind === 'waiting'
      ? column('上次意见', 190, row => row.examineRemark || '—')
      : column('结果', 190, row => <Decision row={row} kind={kind} />),
    column('正在看', 110, row => row.claimedBy || '—'),
  ]
  return [
    {
      ...column('考生', 190, row => (
        <TwoLines below={row.signNo + times(row)}>
          <Link to={actOf(row, drawn).to}>{row.name}</Link>
        </TwoLines>
      )),
      fixed: 'left',
    },
    column('报考岗位', 230, row => (
      <TwoLines below={row.unitName}>
        <PositionLink of={row}>{positionText(row)}</PositionLink>
      </TwoLines>
    )),
    ...(kind === 'move'
      ? [
          column('原岗位', 110, row => (
            <PositionLink of={{ examId: row.examId, code: row.oldCode }}>{row.oldCode}</PositionLink>
          )),
        ]
      : []),
    ...(isDecided ? decided : open),
    {
      ...column('操作', isDecided ? 110 : 90, row => <RowActs row={row} drawn={drawn} />),
      fixed: 'right',
    },
  ]
}
