import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { startSteps } from '#resources/start-list'
import { useT } from '../../platform/i18n/i18n.ts'

/** The step of the start list that a page was opened for, and the way back to the list. */
export default function StartReturn(): ReactNode {
  const t = useT()
  const state = useLocation().state as { startStep?: string } | null
  const step = startSteps.find(({ code }) => code === state?.startStep)
  if (!step) return null
  return (
    <aside className="start-return">
      <span>
        <strong>{t('开始使用')}</strong> · {t(step.title)}
        {t('：')}
        {t(step.help)}
      </span>
      <Link to="/wel/index">
        <Button size="small" tabIndex={-1}>
          {t('返回清单')}
        </Button>
      </Link>
    </aside>
  )
}
