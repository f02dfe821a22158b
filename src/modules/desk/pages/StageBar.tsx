import type { CSSProperties, ReactNode } from 'react'
import type { ExamWindow } from '#resources/exams/standing'
import { timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { momentText } from '../../../screens/candidate/times.ts'

const words = { before: '未开始', open: '进行中', closed: '已结束' } as const

/** Where a time lies between two others, in percent. */
const share = (time: number, first: number, last: number): number =>
  Math.min(100, Math.max(0, ((time - first) / Math.max(1, last - first)) * 100))

function Line({ of, first, last }: { of: ExamWindow; first: number; last: number }): ReactNode {
  const t = useT()
  const [from, to] = [share(timeOf(of.start), first, last), share(timeOf(of.end), first, last)]
  const place = { '--from': `${from}%`, '--width': `${Math.max(1, to - from)}%` } as CSSProperties
  return (
    <li data-state={of.state}>
      <span className="stage-name">{t(of.phase)}</span>
      <span className="stage-track" style={place} aria-hidden />
      <span className="stage-days">
        {momentText(of.start)} – {momentText(of.end)}
      </span>
      <span className="stage-state">{t(words[of.state])}</span>
    </li>
  )
}

/**
 * The windows of an exam as bars on one line of time, now as a stroke through them. Words and days say everything the bars
 * show.
 * @param now the server's time, on the wire
 */
export function StageBar({ of, now }: { of: readonly ExamWindow[]; now: string }): ReactNode {
  const t = useT()
  const first = Math.min(...of.map(one => timeOf(one.start)))
  const last = Math.max(...of.map(one => timeOf(one.end)))
  if (of.length === 0) return <p className="home-none">{t('还没有安排时间')}</p>
  return (
    <ol className="stages" style={{ '--now': share(timeOf(now), first, last) / 100 } as CSSProperties}>
      {of.map(one => (
        <Line key={one.phase} of={one} first={first} last={last} />
      ))}
    </ol>
  )
}
