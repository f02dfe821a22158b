import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Period } from '../../../../screens/candidate/Timed.tsx'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import type { Exam } from '../../contract.ts'
import { ExamPhases } from './ExamPhases.tsx'
import './exams.css'

/** An exam's name, phase and days; `children` stand below. */
export function ExamHead({
  exam,
  desc,
  onTime,
  level: Heading = 'h1',
  children,
}: {
  exam: Exam
  desc?: string
  /** The countdown has reached its end: what is shown is out of date. */
  onTime?: () => void
  /** The heading that the name is. */
  level?: 'h1' | 'h3'
  children?: ReactNode
}): ReactNode {
  const t = useT()
  const days = [
    [
      t('报名'),
      (exam.signStartTime || exam.signEndTime) && <Period key="1" from={exam.signStartTime} to={exam.signEndTime} />,
    ],
    [t('补正截止'), exam.modifyEndTime && <Period key="m" from="" to={exam.modifyEndTime} />],
    [
      t('缴费'),
      (exam.payStartTime || exam.payEndTime) && <Period key="2" from={exam.payStartTime} to={exam.payEndTime} />,
    ],
    [
      t('准考证下载'),
      (exam.ticketStartTime || exam.ticketEndTime) && (
        <Period key="3" from={exam.ticketStartTime} to={exam.ticketEndTime} />
      ),
    ],
    [t('考试'), exam.examStartTime && <Period key="e" from={exam.examStartTime} to="" />],
    [t('组织单位'), exam.organizer],
    [t('咨询电话'), exam.contactPhone && <a href={`tel:${exam.contactPhone}`}>{exam.contactPhone}</a>],
  ] as const
  return (
    <header className="my-card">
      <Heading>{exam.examName}</Heading>
      <ExamPhases exam={exam} onTime={onTime} />
      <dl className="exam-windows">
        {days
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {desc && (
        <details>
          <summary>{t('考试说明')}</summary>
          <SafeHtml html={desc} />
        </details>
      )}
      {children}
    </header>
  )
}
