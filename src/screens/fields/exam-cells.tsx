import { ExclamationCircleOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { type ReactNode, useContext } from 'react'
import type { Deadline } from '#engine'
import type { StageMove } from '#resources/exams/examinationitem'
import type { Outlook } from '#resources/exams/outlook'
import type { Phase } from '#resources/exams/standing'
import { PostStatus } from '#schemas/dictionaries/exam'
import { ReduceBase, ReduceDecision } from '#schemas/dictionaries/sign-up'
import { serverNow, timeOf } from '../../platform/http/browser/clock.ts'
import { useT, useVerb } from '../../platform/i18n/i18n.ts'
import { RowActs } from '../show-row.ts'
import { DictTag } from './DictText.tsx'
import { grouped } from './number.ts'
import { type CellProps, isEmpty } from './props.ts'
import { timeLeft } from './time-left.ts'
import { toneOf } from './tone.ts'
import './state-tag.css'
import './exam-cells.css'

const Nothing = () => <span style={{ color: 'var(--jx-ink-3)' }}>—</span>

/** The phases an exam is in, one chip each. */
export function Phases({ value }: CellProps): ReactNode {
  const t = useT()
  const phases = value as readonly Phase[]
  if (phases.length === 0) return <Nothing />
  return (
    <span className="chips">
      {phases.map(phase => (
        <span key={phase} className="state-tag" data-tone={toneOf(phase)}>
          {t(phase)}
        </span>
      ))}
    </span>
  )
}

/** The nearest deadline: what ends, when, and how long that is from now by the server's clock. */
export function NearestDeadline({ value }: CellProps): ReactNode {
  const t = useT()
  const { label, at } = value as Deadline
  const { words, soon } = timeLeft(timeOf(at), serverNow())
  const isOver = timeOf(at) <= serverNow()
  return (
    <span className="two-lines">
      <span className="deadline">
        {t(label)}{' '}
        <em data-soon={soon || undefined} data-over={isOver || undefined}>
          {isOver ? t('已逾期') : words}
        </em>
      </span>
      <time>{at.slice(0, 16)}</time>
    </span>
  )
}

/** How long something may still be done, by the server's clock, and until when. */
export function TimeLeft({ value }: CellProps): ReactNode {
  const t = useT()
  const at = String(value)
  if (timeOf(at) <= serverNow()) return <time title={at}>{t('已截止')}</time>
  const { words, soon } = timeLeft(timeOf(at), serverNow())
  return (
    <time className="time-left" data-soon={soon || undefined} title={at}>
      {words}
    </time>
  )
}

/** How many seats of a room are taken, of how many. */
export const OfCapacity = ({ value, row }: CellProps): ReactNode => (
  <span className="ratio">
    {Number(value)} / {Number(row.capacity)}
  </span>
)

const tones = {
  [ReduceDecision.keep]: 'success',
  [ReduceDecision.reduce]: 'warning',
  [ReduceDecision.cancel]: 'error',
} as const

/** People for each place of a position, coloured by whether it would be kept, with the word for it. */
export function Heat({ value, row }: CellProps): ReactNode {
  const t = useT()
  const ratio = `${Number(value).toFixed(2)} : 1`
  const outlook = row.outlook as Outlook | undefined
  if (!outlook || Number(row.postStatus) !== PostStatus.active) return <span className="ratio">{ratio}</span>
  const { decision, afterNum, effectNum, lackNum, base } = outlook
  const isOpen = Number(row.noRatio) === 1
  const word = isOpen
    ? t('不设开考比例')
    : {
        [ReduceDecision.keep]: t('达到开考比例'),
        [ReduceDecision.reduce]: t('可开考 {{n}} 人', { n: afterNum }),
        [ReduceDecision.cancel]: t('还差 {{n}} 人开考', { n: lackNum }),
      }[decision]
  const counted =
    base === ReduceBase.paid ? t('缴费 {{n}} 人', { n: effectNum }) : t('审核通过 {{n}} 人', { n: effectNum })
  const why = t('按{{counted}}、开考比例 {{ratio}} : 1、计划 {{plan}} 人推算', {
    counted,
    ratio: Number(row.openRatio),
    plan: Number(row.planNum),
  })
  return (
    <Tooltip title={isOpen ? undefined : why}>
      <span className="two-lines at-end">
        <span className="ratio">{ratio}</span>
        <span className="state-tag" data-tone={tones[decision]}>
          {word}
        </span>
      </span>
    </Tooltip>
  )
}

/** What a move needs, and how it would be refused now. */
function Needed({ move: { next, msg, guard } }: { move: StageMove }): ReactNode {
  const t = useT()
  return (
    <>
      {t(next)}：{msg}
      {guard && (
        <div>
          {t('前提')}：{t(guard)}
        </div>
      )}
    </>
  )
}

/** The state of one side of a stage with its next step: a button for whoever may take it, or the words in which it would be refused. */
export function StageState({ field, name, value, row, where }: CellProps): ReactNode {
  const t = useT()
  const verb = useVerb()
  const acts = useContext(RowActs)
  const moves = row.moves as Readonly<Record<string, StageMove>> | undefined
  const move = moves?.[name]
  if (moves && !move) return <span style={{ color: 'var(--jx-ink-3)' }}>{t('不需要')}</span>
  const isBlocked = move && !isEmpty(move.msg)
  const step = where === 'table' && move && !isBlocked ? acts(row).find(({ label }) => label === move.next) : undefined
  return (
    <span className="two-lines">
      <span>
        <DictTag code={field.dict ?? ''} value={value} />
      </span>
      {step && (
        <button type="button" className="row-link" onClick={step.run}>
          {verb(step.label)}
        </button>
      )}
      {isBlocked && (
        <Tooltip title={<Needed move={move} />}>
          <span className="blocked">
            <ExclamationCircleOutlined aria-label={t('{{move}}受阻', { move: t(move.next) })} /> {move.msg}
          </span>
        </Tooltip>
      )}
    </span>
  )
}

/** How many have read a notice, of how many it is for, and below how many have confirmed it where it asks for that. */
export function Reached({ value, row }: CellProps): ReactNode {
  const t = useT()
  const of = isEmpty(row.meantNum) ? '' : ` / ${grouped(Number(row.meantNum))}`
  const said = (word: string, number: unknown) => (
    <span className="ratio">
      {word} {grouped(Number(number ?? 0))}
      {of}
    </span>
  )
  return (
    <span className="two-lines">
      {said(t('已读'), value)}
      {Number(row.needSure) === 1 && said(t('已确认'), row.sureNum)}
    </span>
  )
}

/** What the exams or stages are called that a notice is for. */
export const ScopeNames = ({ row }: CellProps): ReactNode => String(row.scopeNames ?? '')
