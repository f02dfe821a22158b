import { Alert, App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { useSession } from '../../../../screens/providers/use-session.ts'
import { session } from '../../../http/browser/session.ts'
import { useT, useVerb } from '../../../i18n/i18n.ts'
import { factorState } from '../../contract.ts'
import { ConfirmFactor } from './ConfirmFactor.tsx'
import { begin, type FactorState, type NewFactor, remove } from './factor.ts'
import './info.css'
import { ProofForm } from './ProofForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** What the card shows: the state, or one step of setting up or taking away. */
type Step =
  | { at: 'state' | 'begin' | 'remove' }
  | { at: 'confirm'; factor: NewFactor }
  | { at: 'codes'; codes: readonly string[] }

interface StateProps {
  of: FactorState
  onBegin: () => void
  onRemove: () => void
}

function State({ of, onBegin, onRemove }: StateProps): ReactNode {
  const t = useT()
  const verb = useVerb()
  const owes = Number(useSession()?.detail?.mustEnrol ?? 0) === 1
  if (!of.isEnrolled) {
    return (
      <>
        {owes && <Alert type="warning" showIcon title={t('请先绑定动态验证码')} />}
        <p className="my-quiet">{t('绑定后，登录时除密码外还需输入手机验证器应用显示的 6 位数字。')}</p>
        <Button type={owes ? 'primary' : 'default'} size="large" onClick={onBegin}>
          {t('开始绑定')}
        </Button>
      </>
    )
  }
  return (
    <>
      <p>{t('已绑定，还有 {{n}} 个恢复码可用。', { n: of.recoveryLeft })}</p>
      <div className="my-words">
        <Button size="large" onClick={onBegin}>
          {t('重新绑定')}
        </Button>
        {!of.isRequired && (
          <Button size="large" danger onClick={onRemove}>
            {verb('停用')}
          </Button>
        )}
      </div>
    </>
  )
}

function Steps({ of, onChange }: { of: FactorState; onChange: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [step, setStep] = useState<Step>({ at: 'state' })
  const back = (): void => setStep({ at: 'state' })
  const start = async (password: string, value: string): Promise<void> =>
    setStep({ at: 'confirm', factor: await begin(password, value) })
  const end = async (password: string, value: string): Promise<void> => {
    await remove(password, value)
    void message.success(t('已停用动态验证码'))
    back()
    onChange()
  }
  const done = (codes: readonly string[]): void => {
    session.update({ detail: { ...session.get()?.detail, mustEnrol: 0 } })
    setStep({ at: 'codes', codes })
    onChange()
  }
  const proof = { withCode: of.isEnrolled, onCancel: back }
  switch (step.at) {
    case 'begin':
      return <ProofForm hint="为确认是本人操作，请输入登录密码。" action="下一步" {...proof} onSend={start} />
    case 'remove':
      return <ProofForm hint="停用后登录只需密码。" action="停用" danger {...proof} onSend={end} />
    case 'confirm':
      return <ConfirmFactor of={step.factor} onDone={done} onCancel={back} />
    case 'codes':
      return <RecoveryCodes codes={step.codes} onDone={back} />
    case 'state':
      return <State of={of} onBegin={() => setStep({ at: 'begin' })} onRemove={() => setStep({ at: 'remove' })} />
  }
}

/** One's own second factor; nothing for whom it is not offered. */
export default function SecondFactor(): ReactNode {
  const t = useT()
  const state = useContract(factorState, {})
  return (
    <Loaded query={state}>
      {of =>
        of.isOffered && (
          <section className="my-card" id="factor">
            <h2>{t('动态验证码（双因素登录）')}</h2>
            <Steps of={of} onChange={() => void state.refetch()} />
          </section>
        )
      }
    </Loaded>
  )
}
