import { Tag } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'

const looks = { 1: ['success', '通过'], 2: ['warning', '提醒'], 3: ['error', '不符'] } as const

/** What the pre-check found at worst: passed, to be looked at, or against a rule. */
export function PrecheckTag({ level }: { level: number }) {
  const t = useT()
  const [color, word] = looks[level as 1] ?? ['default', '未预检']
  return <Tag color={color}>{t(word)}</Tag>
}
