import { useEffect, useState } from 'react'
import { phoneProblem } from '../../../engine/format.ts'
import { ApiError, call } from '../../http.ts'
import { useT } from '../../i18n.ts'
import { session } from '../../session.ts'

/** What a code is good for. */
export type CodePurpose = 'register' | 'phone'

/** The captcha that stands before a code. */
interface Picture {
  key: string
  image: string
}

/** Seconds until another code may be asked for. */
const PAUSE = 60
const WRONG_CAPTCHA = 20001

function usePause(): [number, () => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, () => setLeft(PAUSE)]
}

function usePicture(wanted: boolean): [Picture | undefined, () => void] {
  const [turn, setTurn] = useState(0)
  const [picture, setPicture] = useState<Picture>()
  useEffect(() => {
    if (!wanted) return
    let isHere = true
    call<Picture>('GET', '/blade-auth/oauth/captcha', { params: { turn } }).then(
      found => isHere && setPicture(found),
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [wanted, turn])
  return [picture, () => setTurn(turn + 1)]
}

/**
 * Has codes sent to a phone: first the picture, then a code, then a minute's pause.
 * @param captchaMode whether a picture stands before it
 */
export function usePhoneCode(purpose: CodePurpose, captchaMode: boolean) {
  const t = useT()
  const [picture, renew] = usePicture(captchaMode)
  const [captcha, setCaptcha] = useState('')
  const [trouble, setTrouble] = useState<{ at: 'captcha' | 'code'; text: string }>()
  const [sent, setSent] = useState({ phone: '', codeId: '' })
  const [left, pause] = usePause()
  const [busy, setBusy] = useState(false)
  const ask = async (phone: string): Promise<void> => {
    const headers = {
      'Tenant-Id': session.get()?.tenant_id ?? '000000',
      'Captcha-Key': picture?.key ?? '',
      'Captcha-Code': encodeURIComponent(captcha),
    }
    const data = { phone, purpose }
    const { id } = await call<{ id: string }>('POST', '/blade-auth/oauth/sms/send-validate', {
      data,
      headers,
      pass: 'all',
    })
    setSent({ phone, codeId: id })
    pause()
  }
  const send = async (phone: string): Promise<boolean> => {
    const wrong = phoneProblem(phone)
    if (wrong) setTrouble({ at: 'code', text: t(wrong) })
    else if (captchaMode && !captcha) setTrouble({ at: 'captcha', text: t('请输入验证码') })
    if (wrong || (captchaMode && !captcha) || busy || left > 0) return false
    setTrouble(undefined)
    setBusy(true)
    try {
      await ask(phone)
      return true
    } catch (error) {
      const at = error instanceof ApiError && error.code === WRONG_CAPTCHA ? 'captcha' : 'code'
      setTrouble({ at, text: error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试') })
      return false
    } finally {
      setBusy(false)
      setCaptcha('')
      renew()
    }
  }
  /** The number of the code on this phone; empty for none. */
  const idFor = (phone: string): string => (sent.phone === phone ? sent.codeId : '')
  return { picture, renew, captcha, setCaptcha, trouble, left, busy, send, idFor, isSent: sent.codeId !== '' }
}
