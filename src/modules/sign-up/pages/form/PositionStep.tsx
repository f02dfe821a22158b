import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Position } from '../../../exams/contract.ts'
import { PositionCard } from '../exams/PositionCard.tsx'
import { PositionList } from '../exams/PositionList.tsx'
import { withPosition } from './sheet.ts'
import type { StepProps } from './step-props.ts'

function Second({ form, state }: Pick<StepProps, 'form' | 'state'>): ReactNode {
  const t = useT()
  const { sheet } = state
  const others = form.positions.filter(one => one.selectable && one.code !== sheet.code)
  const choose = (code: string): void => {
    const found = others.find(one => one.code === code)
    state.change({ unit2: found?.unit ?? '', type2: found?.type ?? '', code2: found?.code ?? '' })
  }
  return (
    <section className="my-card">
      <label className="in-tick">
        <input
          type="checkbox"
          checked={sheet.adjustAccept}
          onChange={event => state.change({ adjustAccept: event.target.checked })}
        />
        {t('服从调剂')}
      </label>
      <div className="in-field">
        <label htmlFor="second">{t('第二志愿（可不选）')}</label>
        <select id="second" className="in" value={sheet.code2} onChange={event => choose(event.target.value)}>
          <option value="">{t('不选')}</option>
          {others.map(one => (
            <option key={one.id} value={one.code}>
              {one.code} {one.postName} · {one.unitName}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}

/** The position, and where the exam allows it, adjustment and a second choice. */
export function PositionStep({ form, state, open, leave }: StepProps): ReactNode {
  const t = useT()
  const { sheet } = state
  const [changing, setChanging] = useState(false)
  const [missing, setMissing] = useState(false)
  const chosen = form.positions.find(one => one.code === sheet.code)
  leave.current = () => {
    setMissing(!sheet.code)
    return sheet.code !== ''
  }
  const choose = (one: Position): void => {
    state.change(withPosition(sheet, one))
    setChanging(false)
    setMissing(false)
    scrollTo(0, 0)
  }
  const isList = open.position && (changing || !chosen)
  return (
    <>
      <h1>{t(isList ? '选择岗位' : '报考岗位')}</h1>
      {missing && (
        <p className="my-note" data-tone="bad" role="alert">
          {t('请选择岗位')}
        </p>
      )}
      {chosen && !isList && (
        <PositionCard
          of={chosen}
          chosen={!open.position}
          action={t('更换')}
          onChoose={open.position ? () => setChanging(true) : undefined}
        />
      )}
      {chosen && !isList && form.exam.allowAdjust === 1 && open.position && <Second form={form} state={state} />}
      {isList && (
        <PositionList
          positions={form.positions}
          numTime={form.numTime}
          chosen={sheet.code}
          compare={{ examId: form.exam.examId, content: sheet.content }}
          onChoose={choose}
        />
      )}
    </>
  )
}
