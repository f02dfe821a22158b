import { Checkbox, Form } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Field } from '#engine'
import { examination } from '#resources/exams/examination'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { FieldInput } from '../../../../screens/fields/inputs.tsx'
import { takenParts, type UsualPaper, usualPaperNames, usualPapers } from '../../rules/new-exam.ts'
import { askedFirst, fields, filledIn, isTaken, type Values } from './beginning.ts'

interface Props {
  values: Values
  onChange: (name: string, value: unknown) => void
  /** What is wrong, by input. */
  problems: Readonly<Record<string, string>>
}

/** Id of an input, to go to what is wrong. */
export const inputId = (name: string): string => `new-exam-${name}`

function Asked({ name, values, problems, onChange, note }: Props & { name: string; note?: string }): ReactNode {
  const t = useT()
  const field = fields[name] as Field
  const id = inputId(name)
  const wrong = problems[name]
  const help = note ?? field.help
  return (
    <Form.Item
      label={t(field.title)}
      htmlFor={id}
      required={!field.optional && note === undefined}
      validateStatus={wrong ? 'error' : undefined}
      help={
        wrong && (
          <span id={`${id}__message`} role="alert">
            {t(wrong)}
          </span>
        )
      }
      extra={help && t(help)}
    >
      <FieldInput
        id={id}
        name={name}
        field={field}
        entity={examination.entity.name}
        value={values[name]}
        invalid={Boolean(wrong)}
        describedBy={wrong ? `${id}__message` : undefined}
        onChange={value => onChange(name, value)}
      />
    </Form.Item>
  )
}

/** What nobody can know but whoever makes the exam. What the server fills in stands behind a button. */
export function FactsStep(props: Props): ReactNode {
  const t = useT()
  const { values, onChange, problems } = props
  const isWrong = filledIn.some(name => problems[name])
  const [isOpen, setOpen] = useState(false)
  return (
    <Form component="div" layout="vertical" className="new-exam-facts">
      {askedFirst.map(name => (
        <Asked key={name} name={name} {...props} />
      ))}
      {!isTaken(values, 'form') && (
        <Form.Item label={t(takenParts.form)} htmlFor={inputId('items')}>
          <Checkbox
            id={inputId('items')}
            checked={values.items === 1}
            onChange={event => onChange('items', event.target.checked ? 1 : 0)}
          >
            {t('常用报名表（24 项）')}
          </Checkbox>
        </Form.Item>
      )}
      {!isTaken(values, 'papers') && (
        <Form.Item label={t(takenParts.papers)}>
          <Checkbox.Group
            aria-label={t(takenParts.papers)}
            value={[...values.papers]}
            options={usualPaperNames.map(name => ({ value: name, label: t(usualPapers[name].fileName) }))}
            onChange={(papers: UsualPaper[]) => onChange('papers', papers)}
          />
        </Form.Item>
      )}
      <details className="new-exam-more" open={isOpen || isWrong} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>{t('更多')}</summary>
        <div className="new-exam-facts">
          {filledIn.map(name => (
            <Asked key={name} name={name} note={t('不填由系统填写')} {...props} />
          ))}
        </div>
      </details>
    </Form>
  )
}
