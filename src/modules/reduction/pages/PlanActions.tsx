import { Alert, App, Button, Flex } from 'antd'
import { ReduceDecision } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../screens/may.ts'
import { ReasonButton } from '../../../screens/parts/ReasonButton.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { type Reduction, reductionPlan, saveReduction } from '../contract.ts'
import { type Edit, edited, presetOf, ruleBasis } from './plan-edits.ts'

interface Props {
  plan: Reduction
  edits: Readonly<Record<string, Edit>>
  onEdits: (edits: Readonly<Record<string, Edit>>) => void
}

const stale = [reductionPlan]

/** Counts everybody; where reviews are not finished a reason is asked for. */
function Compute({ plan, onEdits }: Pick<Props, 'plan' | 'onEdits'>) {
  const t = useT()
  const { modal } = App.useApp()
  const act = useSend(saveReduction, { stale })
  const { examId } = plan.exam
  const run = (reason = ''): Promise<unknown> =>
    act.mutateAsync({ examId, action: 'compute', ...(reason && { reason }) }).then(() => onEdits({}))
  const quietly = (): Promise<void> =>
    run().then(
      () => undefined,
      () => undefined,
    )
  const label = plan.computed ? '重新计算' : '计算'
  if (plan.pending.num > 0)
    return (
      <ReasonButton
        label={label}
        placeholder="审核未完成时仍要计算的原因"
        kept={{ form: 'reduction/compute', rowId: examId }}
        busy={act.isPending}
        run={run}
      />
    )
  const ask = (): void => {
    if (!plan.computed) void quietly()
    else modal.confirm({ title: t('重新计算后，已作的处理将清空，确定重新计算?'), onOk: quietly })
  }
  return (
    <Button type={plan.computed ? 'default' : 'primary'} loading={act.isPending} onClick={ask}>
      {t(label)}
    </Button>
  )
}

/** Keeps what has been decided on the page. */
function Save({ plan, edits, onEdits }: Props) {
  const t = useT()
  const act = useSend(saveReduction, { stale })
  const changed = plan.positions.filter(line => edits[line.code])
  const save = (): void => {
    const list = changed
      .map(line => edited(line, edits[line.code]))
      .map(({ code, decision, afterNum, basis, file }) => ({ code, decision, afterNum, basis, file }))
    act.mutateAsync({ examId: plan.exam.examId, action: 'save', list }).then(
      () => onEdits({}),
      () => undefined,
    )
  }
  return (
    <Button type="primary" disabled={changed.length === 0} loading={act.isPending} onClick={save}>
      {changed.length ? t('保存 {{n}} 个岗位的处理', { n: changed.length }) : t('保存')}
    </Button>
  )
}

/** Makes the plan final. */
function Confirm({ plan }: { plan: Reduction }) {
  const t = useT()
  const { modal } = App.useApp()
  const act = useSend(saveReduction, { stale })
  const ask = (): void => {
    modal.confirm({
      title: t('确认后岗位计划立即变更，{{n}} 名考生须改报，且不能更改。确定?', { n: plan.affected }),
      onOk: () =>
        act.mutateAsync({ examId: plan.exam.examId, action: 'confirm' }).then(
          () => undefined,
          () => undefined,
        ),
    })
  }
  return (
    <Button type="primary" danger loading={act.isPending} onClick={ask}>
      {t('确认核减')}
    </Button>
  )
}

/** What can be done with a plan now, and by whom. */
export function PlanActions(props: Props) {
  const t = useT()
  const { plan, edits, onEdits } = props
  const [mayDecide, mayConfirm] = [useCanChange('reduction_decide'), useCanChange('reduction_confirm')]
  if (plan.confirmTime || plan.block) return null
  const open = plan.positions.filter(line => edited(line, edits[line.code]).decision === ReduceDecision.pending)
  const asProposed = (): void =>
    onEdits({
      ...edits,
      ...Object.fromEntries(
        open.map(line => {
          const { decision } = line.proposal
          const basis = line.basis || ruleBasis(line, decision)
          return [line.code, { basis, ...edits[line.code], decision, afterNum: presetOf(line, decision) }]
        }),
      ),
    })
  const ripe = plan.computed && open.length === 0 && Object.keys(edits).length === 0
  return (
    <>
      <Flex wrap gap={8}>
        {mayDecide && <Compute plan={plan} onEdits={onEdits} />}
        {mayDecide && plan.computed && (
          <>
            <Button disabled={open.length === 0} onClick={asProposed}>
              {t('其余按建议处理')}
            </Button>
            <Save {...props} />
          </>
        )}
        {mayConfirm && ripe && !plan.decidedByMe && <Confirm plan={plan} />}
      </Flex>
      {ripe && (!mayConfirm || plan.decidedByMe) && (
        <Alert type="info" showIcon title={t('处理已完成，请由另一位有确认权限的人员确认。')} />
      )}
    </>
  )
}
