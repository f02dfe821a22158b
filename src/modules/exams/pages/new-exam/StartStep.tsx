import { Checkbox, Radio } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { examTemplates, type TakenPart, takenParts, templateNames } from '../../rules/new-exam.ts'
import type { Proposal, Values } from './beginning.ts'

interface Props {
  values: Values
  proposal: Proposal
  onStart: (start: Values['start']) => void
  onSource: (id: string) => void
  onTake: (take: readonly TakenPart[]) => void
}

const isCounted = (part: TakenPart): part is keyof Proposal['parts'] => part !== 'texts'

/** What of the other exam is taken, each with how much of it there is. */
function Taking({ values, proposal, onTake }: Pick<Props, 'values' | 'proposal' | 'onTake'>): ReactNode {
  const t = useT()
  const options = (Object.keys(takenParts) as TakenPart[]).map(part => ({
    value: part,
    label: isCounted(part) ? `${t(takenParts[part])} ${proposal.parts[part]}` : t(takenParts[part]),
  }))
  return (
    <fieldset aria-label={t('复制的内容')} className="new-exam-take">
      <Checkbox.Group options={options} value={[...values.take]} onChange={onTake} />
      <small>{t('考生的报名、缴费和成绩不会复制')}</small>
    </fieldset>
  )
}

/** Where the exam begins: with another one, or with a template. */
export function StartStep({ values, proposal, onStart, onSource, onTake }: Props): ReactNode {
  const t = useT()
  const choice = (start: Values['start'], title: string, note: string): ReactNode => (
    <Radio key={start} value={start} className="new-exam-choice">
      <strong>{t(title)}</strong>
      <small>{t(note)}</small>
    </Radio>
  )
  return (
    <Radio.Group
      className="new-exam-starts"
      value={values.start}
      aria-label={t('从哪里开始')}
      onChange={event => onStart(event.target.value as Values['start'])}
    >
      {proposal.source && (
        <div className="new-exam-copy" data-chosen={values.start === 'copy' || undefined}>
          {choice('copy', '复制已有的考试', '岗位、报名表、人员等按原样带过来，时间重新推算')}
          {values.start === 'copy' && (
            <div className="new-exam-source">
              <RefSelect
                entity="examination"
                name={t('复制的考试')}
                value={values.fromId}
                label={proposal.source.id === values.fromId ? proposal.source.examName : undefined}
                onChange={id => id && onSource(id)}
              />
              <Taking values={values} proposal={proposal} onTake={onTake} />
            </div>
          )}
        </div>
      )}
      <div className="new-exam-templates">
        {templateNames.map(name => choice(name, examTemplates[name].title, examTemplates[name].note))}
      </div>
    </Radio.Group>
  )
}
