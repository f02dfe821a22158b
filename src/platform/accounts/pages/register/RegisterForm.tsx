import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { AccountStatus } from '#schemas/dictionaries/administration'
import { longestPassword } from '../../../../engine/password.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { PasswordRules } from '../../../../screens/candidate/PasswordRules.tsx'
import { Summary } from '../../../../screens/candidate/Summary.tsx'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { workHeaders } from '../../../http/browser/proof-of-work.ts'
import type { TokenAnswer } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { claimNumber, register } from '../../contract.ts'
import { PhoneCode } from '../own/PhoneCode.tsx'
import { usePhoneCode } from '../own/use-phone-code.ts'
import type { Site } from '../own/use-site.ts'
import { CardPictures, type Cards } from './CardPictures.tsx'
import { Claimed, ClaimOffer } from './ClaimOffer.tsx'
import { dropDraft, keepDraft, readDraft } from './draft.ts'
import { blank, candidate, type Fields, helps, idTypes, labels, NATIONAL, problemOf, wrongFields } from './fields.ts'
import { PrivacyNotice, privacyVersion } from './PrivacyNotice.tsx'

/** Fields that refusals are about. */
const fieldOf: Record<number, keyof Fields> = {
  [REFUSAL.accounts.usernameTaken]: 'username',
  [REFUSAL.accounts.idCardTaken]: 'idCard',
  [REFUSAL.accounts.phoneTaken]: 'phone',
  [REFUSAL.accounts.passwordTooWeak]: 'password',
  [REFUSAL.accounts.passwordsDiffer]: 'password2',
  [REFUSAL.auth.smsCodeWrong]: 'smsCode',
}
/** The refusal of an ID number that somebody has registered. */
const NUMBER_TAKEN = REFUSAL.accounts.idCardTaken

const secret = { type: 'password', autoComplete: 'new-password', maxLength: longestPassword } as const

/** What is said of a side of the ID card that a claim lacks. */
const sideMissing: Readonly<Record<keyof Cards, string>> = {
  cardFront: '请上传证件照片：身份证人像面',
  cardBack: '请上传证件照片：身份证国徽面',
}

/** The sides of the card that a claim still lacks: other papers than the national ID card have one. */
const missingSides = ({ idType }: Fields, cards: Cards): (keyof Cards)[] =>
  (['cardFront', 'cardBack'] as const).filter(side => !cards[side] && (side === 'cardFront' || idType === NATIONAL))

async function dataOf(fields: Fields, codeId: string) {
  const { keyId, texts } = await encrypted([fields.password, fields.password2])
  const [password = '', password2 = ''] = texts
  const idCard = fields.idCard.trim().toUpperCase()
  return { ...fields, idCard, password, password2, ...(keyId && { keyId }), codeId, consentVersion: privacyVersion }
}

/** Claims a number that somebody else has registered. A calculation is always asked for. @returns the number of the claim */
async function claim(fields: Fields, codeId: string, cards: Cards, reason: string) {
  const values = { ...(await dataOf(fields, codeId)), reason }
  return call(claimNumber, values, { headers: await workHeaders(), files: cards, pass: 'all' })
}

async function makeAccount(fields: Fields, codeId: string, cards: Cards, isProved: boolean) {
  const data = await dataOf(fields, codeId)
  const isPlain = Object.keys(cards).length === 0
  // A code on the phone stood behind a calculation itself.
  const headers = isProved ? {} : await workHeaders()
  return call(register, data, { headers, pass: 'all', ...(!isPlain && { files: cards }) })
}

/** Where a refusal belongs: a field with what is wrong, or the foot of the form. */
function refusalAt(error: unknown): { field?: keyof Fields; text: string } {
  if (!(error instanceof ApiError)) return { text: '网络不通，请检查网络后重试' }
  const named = Array.isArray(error.data) ? (error.data[0] as { field?: string; msg?: string } | undefined) : undefined
  const field = fieldOf[error.code] ?? (Object.keys(blank) as (keyof Fields)[]).find(name => name === named?.field)
  return { field, text: named?.msg ?? error.message }
}

/** What became of a registration. */
export interface Done {
  account: string
  isAudited: boolean
  /** The session that began with it. */
  entered?: TokenAnswer
}

type OnDone = (done: Done) => void

function useRegistering({ captchaMode, registerSms }: Site, onDone: OnDone) {
  const t = useT()
  const proof = usePhoneCode('register', registerSms && captchaMode)
  const [fields, setFields] = useState(readDraft)
  const [problems, setProblems] = useState<Partial<Record<keyof Fields, string>>>({})
  const [cards, setCards] = useState<Cards>({})
  const [consent, setConsent] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [trouble, setTrouble] = useState('')
  const [busy, setBusy] = useState(false)
  const [missing, setMissing] = useState<Partial<Record<keyof Cards, string>>>({})
  const [isTaken, setTaken] = useState(false)
  const [claimId, setClaimId] = useState('')
  const mark = (name: keyof Fields, text: string | null): void =>
    setProblems(before => ({ ...before, [name]: text ? t(text) : undefined }))
  const send = async (work: () => Promise<void>): Promise<void> => {
    const wrong = wrongFields(fields, registerSms)
    for (const name of wrong) mark(name, problemOf(name, fields))
    setTrouble('')
    if (wrong.length > 0 || !consent) return setAttempt(before => before + 1)
    setBusy(true)
    try {
      await work()
      dropDraft()
    } catch (error) {
      if (error instanceof ApiError && error.code === NUMBER_TAKEN) setTaken(true)
      const { field, text } = refusalAt(error)
      if (!field) return setTrouble(t(text))
      mark(field, text)
      document.getElementById(field)?.focus()
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    return send(async () => {
      const { accountStatus, session: entered } = await makeAccount(
        fields,
        proof.idFor(fields.phone),
        cards,
        registerSms,
      )
      onDone({ account: fields.username.trim(), isAudited: accountStatus === AccountStatus.pending, entered })
    })
  }
  const claimIt = async (reason: string): Promise<void> => {
    const sides = missingSides(fields, cards)
    setMissing(Object.fromEntries(sides.map(side => [side, t(sideMissing[side])])))
    if (sides[0]) return document.getElementById(sides[0])?.focus()
    await send(async () => setClaimId((await claim(fields, proof.idFor(fields.phone), cards, reason)).claimId))
  }
  const chooseCards = (next: Cards): void => {
    setCards(next)
    setMissing({})
  }
  const set = (name: keyof Fields, value: string): void => {
    const next = { ...fields, [name]: value }
    setFields(next)
    if (name === 'idCard') setTaken(false)
    keepDraft(next)
    setProblems({ ...problems, [name]: undefined })
  }
  const leave = (name: keyof Fields): void => {
    if (fields[name]) mark(name, problemOf(name, fields))
  }
  const tick = { consent, setConsent, attempt, isTaken, claimId, claimIt }
  return {
    fields,
    problems,
    cards,
    chooseCards,
    missing,
    ...tick,
    trouble,
    busy,
    submit,
    set,
    leave,
    proof,
  }
}

/** The form of a new account. Each field is checked when it is left; what was typed stays after a refusal. */
export function RegisterForm(props: { site: Site; signIn?: string; onDone: OnDone }): ReactNode {
  const { site, signIn = '/login', onDone } = props
  const t = useT()
  const form = useRegistering(site, onDone)
  const { fields, problems, consent, setConsent, attempt, trouble, busy, submit, set, leave } = form
  const isUnread = attempt > 0 && !consent
  const wrong = (Object.keys(labels) as (keyof Fields)[]).flatMap(id => {
    const problem = problems[id]
    return problem ? [{ id, label: t(labels[id]), problem }] : []
  })
  const unread = { id: 'consent', label: t('个人信息处理告知书'), problem: t('请阅读并勾选同意') }
  const entry = (id: keyof Fields, more: Record<string, unknown>): ReactNode => (
    <Entry
      id={id}
      label={t(labels[id])}
      help={helps[id] && t(helps[id])}
      value={fields[id]}
      problem={problems[id]}
      onChange={event => set(id, event.target.value)}
      onBlur={() => leave(id)}
      {...more}
    />
  )
  if (form.claimId) return <Claimed claimId={form.claimId} phone={fields.phone} />
  return (
    <form className="public-form" onSubmit={event => void submit(event)} noValidate>
      <h1>{t('注册')}</h1>
      <p className="my-quiet">{t('请填写本人真实信息，姓名和证件号码注册后不能自行修改。')}</p>
      <Summary of={isUnread ? [...wrong, unread] : wrong} attempt={attempt} />
      {entry('realName', { autoComplete: 'name', maxLength: 20 })}
      <div className="in-field">
        <label htmlFor="idType">{t(labels.idType)}</label>
        <select id="idType" className="in" value={fields.idType} onChange={event => set('idType', event.target.value)}>
          {Object.entries(idTypes).map(([key, word]) => (
            <option key={key} value={key}>
              {t(word)}
            </option>
          ))}
        </select>
      </div>
      {entry('idCard', { autoCapitalize: 'characters', autoComplete: 'off', maxLength: 30 })}
      {entry('phone', { inputMode: 'tel', autoComplete: 'tel', maxLength: 20 })}
      {site.registerSms && (
        <PhoneCode
          phone={fields.phone}
          code={fields.smsCode}
          problem={problems.smsCode}
          of={form.proof}
          sandbox={site.smsSandbox}
          onCode={code => set('smsCode', code)}
        />
      )}
      {entry('username', {
        autoComplete: 'username',
        autoCapitalize: 'none',
        spellCheck: false,
        maxLength: 45,
      })}
      {entry('password', { ...secret, hint: 'password-rules' })}
      <PasswordRules
        id={'password-rules'}
        password={fields.password}
        userType={candidate}
        names={[fields.username.trim()]}
      />
      {entry('password2', secret)}
      <CardPictures cards={form.cards} asked={form.isTaken} problems={form.missing} onChange={form.chooseCards} />
      <PrivacyNotice />
      <label className="in-tick">
        <input
          id="consent"
          type="checkbox"
          checked={consent}
          aria-invalid={isUnread || undefined}
          aria-describedby={isUnread ? 'consent-problem' : undefined}
          onChange={event => setConsent(event.target.checked)}
        />
        {t('我已阅读并同意《个人信息处理告知书》')}
      </label>
      {isUnread && (
        <p className="in-problem" id="consent-problem">
          {unread.problem}
        </p>
      )}
      {trouble && (
        <p className="in-problem" role="alert">
          {trouble}
        </p>
      )}
      {form.isTaken && <ClaimOffer busy={busy} onClaim={reason => void form.claimIt(reason)} />}
      <Button htmlType="submit" type="primary" size="large" loading={busy}>
        {t('注册')}
      </Button>
      <p>
        {t('已有账号？')}
        <a href={signIn}>{t('登录')}</a>
      </p>
    </form>
  )
}
