import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { ExamineStatus, IdType } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { FieldContext } from '../../../../screens/candidate/inputs/props.ts'
import { fieldId } from '../../../../screens/candidate/inputs/props.ts'
import { loadPart } from '../../../../screens/window/lazy-page.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { groupsOf, visibleItems } from '../../../exams/rules/sign-form.ts'
import { usedItems } from '../../../exams/rules/sign-item.ts'
import { formOrder, signForm } from '../../../exams/rules/sign-schema.ts'
import type { ExamForm } from './exam-form.ts'
import type { StepProps } from './step-props.ts'
import { goTo, itemProblems, withoutEmptyRows } from './steps.ts'

/** Loads what draws the form; asked for as soon as somebody begins to read. */
export const loadItemForm = () => import('../../../../screens/candidate/inputs/ItemForm.tsx')

const ItemForm = lazy(() => loadPart(loadItemForm).then(part => ({ default: part.ItemForm })))

/** A reviewer's words on what is to be corrected, by code. */
export function opinions({ form }: Pick<StepProps, 'form'>, target: 'item' | 'file'): ReadonlyMap<string, string> {
  const mine = form.mySignup || undefined
  if (mine?.examine !== ExamineStatus.returned) return new Map()
  const marked = (mine.advisementList || []).filter(one => one.target === target && !one.ok)
  return new Map(marked.map(one => [one.code, one.opinion ?? '']))
}

/** The path of the region that a national ID number, of which the beginning is shown, begins with. */
function homeOf({ idType, idCard }: ExamForm['applicant']): readonly string[] {
  const [code] = (idType === IdType.residentCard && /^\d{6}/.exec(idCard)) || []
  return code ? [code.slice(0, 2), code.slice(0, 4), code] : []
}

/** Problems as the fields show them: those of fields that were left, all after an attempt to go on, and the server's. */
function useProblems({ form, state, trouble }: StepProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [mended, setMended] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(trouble?.fields !== undefined)
  const found = useMemo(() => itemProblems(form, state.sheet), [form, state.sheet])
  const byField = useMemo(() => new Map(found.map(one => [one.field, one.msg])), [found])
  const problemOf = (field: string): string | undefined => {
    const own = all || touched.has(field) ? byField.get(field) : undefined
    return own ?? (mended.has(field) ? undefined : trouble?.fields?.get(field))
  }
  return {
    problemOf,
    onLeave: (field: string) => setTouched(new Set(touched).add(field)),
    onMend: (code: string) => {
      const fields = [...(trouble?.fields?.keys() ?? [])].filter(one => one === code || one.startsWith(`${code}[`))
      if (fields.length > 0) setMended(new Set([...mended, ...fields]))
    },
    showAll: () => setAll(true),
  }
}

function GroupCard({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const t = useT()
  return (
    <section className="my-card" aria-label={t(label)}>
      <h2>{t(label)}</h2>
      {children}
    </section>
  )
}

/** What the items of a form are drawn from, for a type of position. */
function useDrawn({ items, dicts }: StepProps['form'], type: string) {
  return useMemo(
    () => ({
      schema: signForm(items, { type, dicts }),
      order: formOrder(items, type),
      groups: groupsOf(usedItems(items, type), dicts.item_group),
    }),
    [items, dicts, type],
  )
}

/** Everything the exam asks of a person, by group. Checked when a field is left and when the step is. */
export function ItemsStep(props: StepProps): ReactNode {
  const t = useT()
  const { form, state, open, leave } = props
  const { sheet } = state
  const { problemOf, onLeave, onMend, showAll } = useProblems(props)
  const marked = useMemo(() => opinions({ form }, 'item'), [form])
  const items = visibleItems(form.items, sheet.content, sheet.type)
  const drawn = useDrawn(form, sheet.type)
  const context: FieldContext = {
    dicts: form.dicts,
    problemOf,
    onLeave,
    isOpen: open.item,
    opinionOf: code => marked.get(code),
    home: homeOf(form.applicant),
  }
  leave.current = () => {
    const content = withoutEmptyRows(items, sheet.content)
    if (content !== sheet.content) state.change({ content })
    const first = itemProblems(form, { ...sheet, content }).find(one => open.item(one.field.split('[')[0] ?? ''))
    if (!first) return true
    showAll()
    setTimeout(() => goTo(fieldId(first.field)))
    return false
  }
  const set = (code: string, value: unknown): void => {
    onMend(code)
    state.change({ content: { ...state.latest.current.content, [code]: value } })
  }
  return (
    <>
      <h1>{t('填写信息')}</h1>
      {open.partly && <p className="my-note">{t('只需修改标出的内容，其他内容不能改动。')}</p>}
      <Suspense fallback={<PageSkeleton />}>
        <ItemForm {...drawn} Group={GroupCard} values={sheet.content} onChange={set} context={context} />
      </Suspense>
    </>
  )
}
