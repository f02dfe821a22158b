import { useEffect, useState } from 'react'
import { phoneProblem } from '../../../../engine/format.ts'
import { type CodePurpose, sendPhoneCode } from '../../../auth/contract.ts'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { workHeaders } from '../../../http/browser/proof-of-work.ts'
import { session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'

/** Seconds until another code may be asked for. */
const PAUSE = 60

/** A code that was sent, as this tab keeps it: no page that is reloaded has another one sent while this one holds. */
interface Sent {
  phone: string
  codeId: string
  /** When, in milliseconds since 1970. */
  at: number
}

const NONE: Sent = { phone: '', codeId: '', at: 0 }
/** Milliseconds for which a code holds. */
const HOLDS = 300_000

function sentBefore(name: string): Sent {
  try {
    const found = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Sent | null
    return found && Date.now() - found.at < HOLDS ? found : NONE
  } catch {
    return NONE
  }
}

const pauseLeft = ({ at }: Sent): number => Math.max(0, PAUSE - Math.floor((Date.now() - at) / 1000))

/** Seconds of the pause that are left. They are read from the clock: a page that nobody looks at counts no seconds. */
function usePause(sent: Sent): number {
  const [, setTick] = useState(0)
  const left = pauseLeft(sent)
  useEffect(() => {
    if (left <= 0) return
    const timer = setInterval(() => setTick(tick => tick + 1), 1000)
    return () => clearInterval(timer)
  }, [left])
  return left
}

/**
 * Has codes sent to a phone: a calculation that nobody sees, then a code, then a minute's pause.
 * @param captchaMode whether the site asks for the calculation
 */
export function usePhoneCode(purpose: CodePurpose, captchaMode: boolean) {
  const t = useT()
  const [trouble, setTrouble] = useState('')
  const name = `juxian-code-${purpose}`
  const [sent, setSent] = useState(() => sentBefore(name))
  const left = usePause(sent)
  const [busy, setBusy] = useState(false)
  const ask = async (phone: string): Promise<void> => {
    const headers = {
      'Tenant-Id': session.get()?.tenant_id ?? '000000',
      ...(captchaMode && (await workHeaders())),
    }
    const { id } = await call(sendPhoneCode, { phone, purpose }, { headers, pass: 'all' })
    const made = { phone, codeId: id, at: Date.now() }
    setSent(made)
    sessionStorage.setItem(name, JSON.stringify(made))
  }
  const send = async (phone: string): Promise<boolean> => {
    const wrong = phoneProblem(phone)
    if (wrong) setTrouble(t(wrong))
    if (wrong || busy || left > 0) return false
    setTrouble('')
    setBusy(true)
    try {
      await ask(phone)
      return true
    } catch (error) {
      setTrouble(error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试'))
      return false
    } finally {
      setBusy(false)
    }
  }
  /** The number of the code on this phone; empty for none. */
  const idFor = (phone: string): string => (sent.phone === phone ? sent.codeId : '')
  return { trouble, left, busy, send, idFor, isSent: sent.codeId !== '' }
}
