import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { fieldId } from '../../../../screens/candidate/inputs/props.ts'
import { Conflict } from './Conflict.tsx'
import type { ExamForm } from './exam-form.ts'
import { FilesStep } from './FilesStep.tsx'
import { markHandedIn } from './handed-in.ts'
import { ItemsStep, loadItemForm } from './ItemsStep.tsx'
import { NoticeStep } from './NoticeStep.tsx'
import { PositionStep } from './PositionStep.tsx'
import { PreviewStep } from './PreviewStep.tsx'
import { StepBar } from './StepBar.tsx'
import { openParts, type Sheet, withPosition } from './sheet.ts'
import { at, goTo, stepNames } from './steps.ts'
import { passed, type Trouble, troubleOf } from './trouble.ts'
import { type SheetState, useSheet } from './use-sheet.ts'
import { WizardFoot } from './WizardFoot.tsx'

const steps = [NoticeStep, PositionStep, ItemsStep, FilesStep, PreviewStep] as const

/** Where a form opens: at what was returned, at the items of a draft, else at the beginning. */
function firstStep(form: ExamForm, hasPosition: boolean): number {
  const { editScope } = form
  if (editScope.length > 0) {
    if (editScope.includes('position')) return at.position
    return editScope.some(one => one.startsWith('item:')) ? at.items : at.files
  }
  return form.mySignup && form.mySignup.signStatus !== SignStatus.withdrawn && hasPosition ? at.items : at.notice
}

/** Whoever has chosen a position on the page before is not asked for it again, unless more than that is asked there. */
const afterNotice = ({ exam, editScope }: ExamForm, { code }: Sheet): number =>
  code && exam.allowAdjust !== 1 && editScope.length === 0 ? at.items : at.position

/** The control of the first field that was returned, to be gone to when the form opens. */
function firstMark({ editScope, items }: ExamForm): { elementId: string } | undefined {
  const item = items.find(one => editScope.includes(`item:${one.itemCode}`))
  return item && { elementId: fieldId(item.itemCode) }
}

/** The step in the address, so that a phone's back key leads to the step before. */
function useStep(first: number) {
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('step'))
  const step = query.has('step') && asked in stepNames ? asked : first
  const set = (next: number, replace = false): void =>
    setQuery({ ...(query.has('edit') && { edit: '1' }), step: String(next) }, { replace })
  return { step, set, code: query.get('code') }
}

/** Takes over a position chosen on the page before. */
function useChosenCode(form: ExamForm, state: SheetState, code: string | null, done: () => void): void {
  useEffect(() => {
    if (!code) return
    const position = form.positions.find(one => one.code === code && one.selectable)
    if (position && openParts(form).position && state.sheet.code !== code)
      state.change(withPosition(state.latest.current, position))
    done()
  })
}

/** The steps of a sign-up. Every step forwards saves the draft; refusals lead to where they can be mended. */
export function Wizard({ form, reload }: { form: ExamForm; reload: () => Promise<ExamForm | undefined> }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const state = useSheet(form, passed)
  const open = openParts(form)
  const { step, set, code } = useStep(firstStep(form, state.sheet.code !== ''))
  const [reached, setReached] = useState(state.base.current.id ? at.preview : step)
  const [trouble, setTrouble] = useState<Trouble>()
  // An object, so that the same field can be gone to again.
  const [target, setTarget] = useState(() => firstMark(form))
  const [leave] = useState(() => ({ current: () => true }))
  const [busy, setBusy] = useState(false)
  useChosenCode(form, state, code, () => set(at.notice, true))
  useEffect(() => (target === undefined ? undefined : goTo(target.elementId)), [target])
  useEffect(() => void loadItemForm().catch(() => undefined), [])

  const go = (next: number, elementId?: string): void => {
    if (next !== step) set(next)
    setReached(Math.max(reached, next))
    setTarget(elementId === undefined ? undefined : { elementId })
    if (elementId) return
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const next = (): void => {
    if (!leave.current()) return
    setTrouble(undefined)
    if (state.sheet.code || step > at.notice) void state.save()
    go(step === at.notice ? afterNotice(form, state.sheet) : step + 1)
  }
  const submit = async (): Promise<void> => {
    if (!leave.current()) return
    setBusy(true)
    try {
      const done = await state.submit()
      markHandedIn(form.exam.examId)
      // The form is left for good: what stands in its place in the history is the sign-up.
      await navigate(`/signup/mySignup/${done.id}`, { replace: true, state: { done } })
      scrollTo(0, 0)
    } catch (error) {
      const found = troubleOf(error, t)
      setTrouble(found)
      if (found) go(found.step, found.elementId)
      if (found?.isStale) void reload()
    } finally {
      setBusy(false)
    }
  }

  const Step = steps[step] ?? NoticeStep
  return (
    <>
      <StepBar form={form} step={step} reached={reached} onGo={one => go(one)} />
      {trouble && trouble.step === step && (
        <p className="my-note" data-tone="bad" role="alert">
          {trouble.message}
        </p>
      )}
      <Step key={step} form={form} state={state} open={open} trouble={trouble} go={go} leave={leave} />
      <WizardFoot
        saving={state.saving}
        busy={busy}
        isLast={step === at.preview}
        onBack={step > 0 ? () => go(step - 1) : undefined}
        onNext={step === at.preview ? () => void submit() : next}
      />
      <Conflict state={state} reload={reload} />
    </>
  )
}
