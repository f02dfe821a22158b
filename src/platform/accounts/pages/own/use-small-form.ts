import { type SyntheticEvent, useState } from 'react'
import { ApiError } from '../../../http/browser/http.ts'
import { useT } from '../../../i18n/i18n.ts'
import { factorRefusals } from './factor.ts'

const EMPTY = { password: '请输入密码', value: '请输入动态验证码' }
const WRONG = { password: '密码不正确', value: '动态验证码错误或已使用' }

/** Fields that prove who one is. */
export type ProofField = keyof typeof EMPTY

/**
 * A form of one or two proofs: what is missing or wrong stands at its field, and what was typed stays.
 * @param fields those that are asked for
 */
export function useSmallForm(
  fields: readonly ProofField[],
  send: (typed: Record<ProofField, string>) => Promise<void>,
) {
  const t = useT()
  const [typed, setTyped] = useState({ password: '', value: '' })
  const [problems, setProblems] = useState<Partial<Record<ProofField, string>>>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const gap = fields.find(field => !typed[field].trim())
    setProblems(gap ? { [gap]: t(EMPTY[gap]) } : {})
    if (gap || busy) return
    setBusy(true)
    try {
      await send(typed)
    } catch (error) {
      // Other refusals have been shown.
      const field = error instanceof ApiError ? factorRefusals[error.code] : undefined
      if (field) setProblems({ [field]: t(WRONG[field]) })
    } finally {
      setBusy(false)
    }
  }
  const entry = (field: ProofField) => ({
    value: typed[field],
    problem: problems[field],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value })
      setProblems({})
    },
  })
  return { entry, submit, busy }
}
