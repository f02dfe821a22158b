import { Button } from 'antd'
import type { ReactNode } from 'react'
import { FormInputType } from '#schemas/dictionaries/sign-up'
import { isBlank } from '../../../../engine/blank.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { RegionText } from '../../../../screens/candidate/inputs/LevelsInput.tsx'
import { listIn } from '../../../../screens/candidate/inputs/props.ts'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { answerText } from '../../../../screens/parts/answer-text.ts'
import { askedFiles } from '../../../exams/rules/sign-files.ts'
import { groupsOf, visibleItems } from '../../../exams/rules/sign-form.ts'
import type { SignItem } from '../../../exams/rules/sign-item.ts'
import { showValue } from '../../../exams/rules/sign-text.ts'
import type { ExamForm } from './exam-form.ts'
import type { Sheet } from './sheet.ts'
import { at } from './steps.ts'

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }): ReactNode {
  const t = useT()
  return (
    <section className="my-card">
      <div className="my-head">
        <h2>{title}</h2>
        <Button size="large" onClick={onEdit}>
          {t('查看或修改')}
        </Button>
      </div>
      {children}
    </section>
  )
}

function wordsOf(item: SignItem, value: unknown, form: ExamForm, t: ReturnType<typeof useT>): ReactNode {
  if (item.inputType === FormInputType.region) return <RegionText path={listIn(value)} />
  return (
    <span style={{ whiteSpace: 'pre-line' }}>{answerText(item.inputType, showValue(item, value, form.dicts), t)}</span>
  )
}

function Filled({ items, form, sheet }: { items: readonly SignItem[]; form: ExamForm; sheet: Sheet }): ReactNode {
  const t = useT()
  const filled = items.filter(item => !isBlank(sheet.content[item.itemCode]))
  if (filled.length === 0) return <p className="my-quiet">{t('未填写')}</p>
  return (
    <Facts of={filled.map(item => [t(item.itemName), wordsOf(item, sheet.content[item.itemCode], form, t)] as const)} />
  )
}

/** The whole sheet in words, each part with a way back to it. */
export function Summary({
  form,
  sheet,
  onGo,
}: {
  form: ExamForm
  sheet: Sheet
  onGo: (step: number) => void
}): ReactNode {
  const t = useT()
  const nameOf = (code: string): string => {
    const found = form.positions.find(one => one.code === code)
    return found ? `${found.unitName} · ${found.postName}（${code}）` : code
  }
  const items = visibleItems(form.items, sheet.content, sheet.type)
  const { unit, type, code } = sheet
  const slots = askedFiles(form.files, sheet.content, { unit, type, code })
  return (
    <>
      <Part title={t('岗位')} onEdit={() => onGo(at.position)}>
        <Facts
          of={[
            [t('报考岗位'), nameOf(sheet.code)],
            [t('第二志愿'), sheet.code2 && nameOf(sheet.code2)],
            [t('服从调剂'), form.exam.allowAdjust === 1 && t(sheet.adjustAccept ? '是' : '否')],
          ]}
        />
      </Part>
      {groupsOf(items, form.dicts.item_group).map(group => (
        <Part key={group.name} title={t(group.label)} onEdit={() => onGo(at.items)}>
          <Filled items={items.filter(item => group.codes.includes(item.itemCode))} form={form} sheet={sheet} />
        </Part>
      ))}
      {slots.length > 0 && (
        <Part title={t('照片与附件')} onEdit={() => onGo(at.files)}>
          <ul className="form-files">
            {slots.flatMap(slot =>
              (sheet.files.find(one => one.fileCode === slot.fileCode)?.list ?? []).map(file => (
                <li key={file.attachId}>
                  <Thumb id={file.attachId} ext={file.ext} alt={t(slot.fileName)} />
                  <div>
                    {t(slot.fileName)}
                    <p className="my-quiet">{file.name}</p>
                  </div>
                </li>
              )),
            )}
          </ul>
        </Part>
      )}
    </>
  )
}
