import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { AnswerOf } from '#engine'
import { AuditStatus } from '#schemas/dictionaries/administration'
import { phoneProblem } from '../../../../engine/format.ts'
import { Badge, type Tone } from '../../../../screens/candidate/Badge.tsx'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { useT } from '../../../i18n/i18n.ts'
import { claimState } from '../../contract.ts'
import { claimPhone } from './ClaimOffer.tsx'

type State = AnswerOf<typeof claimState>

const states: Readonly<Record<State['claimStatus'], [string, Tone]>> = {
  [AuditStatus.pending]: ['待审核', 'wait'],
  [AuditStatus.approved]: ['认领已通过', 'good'],
  [AuditStatus.rejected]: ['认领未通过', 'bad'],
}

function Found({ of }: { of: State }): ReactNode {
  const t = useT()
  const [word, tone] = states[of.claimStatus]
  return (
    <section className="my-card" role="status">
      <div className="my-head">
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      {of.claimStatus === AuditStatus.pending && <p>{t('工作人员正在核对证件，请稍后再来查看。')}</p>}
      {of.claimStatus === AuditStatus.approved && (
        <>
          <p>{t('证件号码已归您，请用申请时填写的账号和密码登录，重新报名。')}</p>
          <Facts of={[[t('账号'), of.account]]} />
          <Button type="primary" size="large" href={`/login?${new URLSearchParams({ account: of.account })}`}>
            {t('去登录')}
          </Button>
        </>
      )}
      {of.claimStatus === AuditStatus.rejected && (
        <>
          <Facts of={[[t('原因'), of.auditRemark]]} />
          <p>{t('补齐材料后可以重新注册并再次申请认领。')}</p>
          <Button size="large" href="/register">
            {t('去注册')}
          </Button>
        </>
      )}
    </section>
  )
}

const claimNumberProblem = (id: string): string | null => (/^\d{1,19}$/.test(id) ? null : '请输入认领编号')

function Asking(): ReactNode {
  const t = useT()
  const [claimId, setClaimId] = useState(() => new URLSearchParams(location.search).get('id') ?? '')
  const [phone, setPhone] = useState(() => sessionStorage.getItem(claimPhone) ?? '')
  const [problems, setProblems] = useState<{ claimId?: string; phone?: string }>({})
  const ask = useMutation({
    mutationFn: () => call(claimState, { claimId, phone }, { pass: 'all' }),
  })
  const submit = (): void => {
    const wrong = { claimId: claimNumberProblem(claimId), phone: phoneProblem(phone) }
    setProblems({
      claimId: wrong.claimId ? t(wrong.claimId) : undefined,
      phone: wrong.phone ? t(wrong.phone) : undefined,
    })
    const first = wrong.claimId ? 'claimId' : wrong.phone ? 'phone' : null
    if (first) document.getElementById(first)?.focus()
    else ask.mutate()
  }
  const { error } = ask
  const refused = error instanceof ApiError && error.code === NOT_THERE
  const trouble = refused
    ? t('没有这样的认领申请，请核对认领编号和申请时填写的手机号码')
    : error && t(error instanceof ApiError ? error.message : '网络不通，请检查网络后重试')
  return (
    <>
      <form
        className="public-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <h1>{t('认领进度')}</h1>
        <p className="my-quiet">{t('用认领编号和申请时填写的手机号码查看审核结果。')}</p>
        <Entry
          id={'claimId'}
          label={t('认领编号')}
          value={claimId}
          problem={problems.claimId}
          inputMode={'numeric'}
          autoComplete={'off'}
          maxLength={19}
          onChange={event => setClaimId(event.target.value.trim())}
        />
        <Entry
          id={'phone'}
          label={t('手机号码')}
          value={phone}
          problem={problems.phone}
          inputMode={'tel'}
          autoComplete={'tel'}
          maxLength={20}
          onChange={event => setPhone(event.target.value.trim())}
        />
        {trouble && (
          <p className="in-problem" role="alert">
            {trouble}
          </p>
        )}
        <Button htmlType="submit" type="primary" size="large" loading={ask.isPending}>
          {t('查看进度')}
        </Button>
      </form>
      {ask.data && !ask.isPending && <Found of={ask.data} />}
    </>
  )
}

/** The refusal of a number, or a phone, that no claim has. */
const NOT_THERE = REFUSAL.row.notFound

/** Where the claim of an ID number stands, for whoever has made it. */
export default function ClaimPage(): ReactNode {
  return (
    <PublicFrame>
      <Asking />
    </PublicFrame>
  )
}
