import { Descriptions } from 'antd'
import type { ReactNode } from 'react'
import { language, useT } from '../../../platform/i18n/i18n.ts'
import { useSession } from '../../../screens/providers/use-session.ts'

/** An entry for developers: who is signed in, and in which language. */
export default function TestPage(): ReactNode {
  const t = useT()
  const person = useSession()
  return (
    <Descriptions
      title={`${t('测试页')} · ${t('只在开发环境中出现')}`}
      column={1}
      items={[
        { key: 'account', label: t('当前账号'), children: person?.account },
        { key: 'language', label: t('当前语言'), children: language() },
      ]}
    />
  )
}
