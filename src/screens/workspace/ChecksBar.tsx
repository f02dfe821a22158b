import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import type { CheckLine } from './answer.ts'

interface Props {
  /** The next step of the row, in words; empty where it has been taken already. */
  step: string
  /** How much is missing. */
  number: number
  /** What the page is opened to mend; undefined when that has been done. */
  line: CheckLine | undefined
  /** Where the next missing thing is mended, where there is another. */
  next: string | undefined
  /** The home with all of them. */
  back: string
}

/** Stands above a page that is opened to mend something: what, how much else is missing, and the way there and back. */
export function ChecksBar({ step, number, line, next, back }: Props): ReactNode {
  const t = useT()
  const go = useNavigate()
  return (
    <section className="place-checks">
      <p>
        <strong>
          {step ? t('{{step}}前检查：还有 {{n}} 项', { step, n: number }) : t('还有 {{n}} 项不满足', { n: number })}
        </strong>
        {line && (
          <span>
            {t(line.label)}
            {line.msg && `：${t(line.msg)}`}
          </span>
        )}
      </p>
      {next !== undefined && (
        <Button type="primary" onClick={() => void go(next)}>
          {t('下一项')}
        </Button>
      )}
      <Button onClick={() => void go(back)}>{t('返回')}</Button>
    </section>
  )
}
