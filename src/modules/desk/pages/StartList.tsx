import { CheckCircleFilled } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { startSteps } from '#resources/start-list'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { type StartStep, staffDesk, tickStartStep } from '../contract.ts'
import './start-list.css'

/** What a new installation needs before its first exam, each line with the page where it is done. */
export function StartList({ of }: { of: readonly StartStep[] }): ReactNode {
  const t = useT()
  const { mutate, isPending } = useSend(tickStartStep, { done: false, stale: [staffDesk] })
  const tick = (code: string, done: boolean): void => mutate({ code, done })
  const steps = startSteps.flatMap(step => {
    const state = of.find(({ code }) => code === step.code)
    return state ? [{ ...step, ...state }] : []
  })
  const ready = steps.filter(({ done }) => done).length
  return (
    <section className="start-list" aria-labelledby="start-list-title">
      <header>
        <h2 id="start-list-title">{t('开始使用')}</h2>
        <Progress
          className="start-list-progress"
          aria-labelledby="start-list-title"
          percent={(ready / steps.length) * 100}
          format={() => t('{{ready}}/{{all}}', { ready, all: steps.length })}
        />
        <Button type="text" disabled={isPending} onClick={() => tick('*', true)}>
          {t('收起清单')}
        </Button>
      </header>
      <ol>
        {steps.map(({ code, title, help, route, done, ticked }) => (
          <li key={code} data-done={done}>
            <span className="start-list-mark">{done && <CheckCircleFilled aria-label={t('已完成')} />}</span>
            <div>
              <Link to={route} state={{ startStep: code }}>
                {t(title)}
              </Link>
              <p>{t(help)}</p>
            </div>
            {(!done || ticked) && (
              <Button size="small" disabled={isPending} onClick={() => tick(code, !done)}>
                {t(done ? '重新打开' : '已完成或不需要')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
