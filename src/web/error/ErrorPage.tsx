import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import './error.css'

interface Text {
  title: string
  /** What to do next. */
  hint: string
  /** The name of the way back to the page before. */
  back: string
}

const missing: Text = {
  title: '没有找到这个页面',
  hint: '地址可能有误，或页面已经移走。请检查地址，或从首页重新进入。',
  back: '返回上一页',
}

const TEXTS: Record<string, Text> = {
  '/403': {
    title: '您没有权限查看这个页面',
    hint: '如果工作需要，请联系管理员授权；也可以换一个账号登录。',
    back: '返回上一页',
  },
  '/500': { title: '系统出错了', hint: '请稍后重试；多次出现请联系管理员。已经保存的内容不会丢失。', back: '重试' },
}

/** 403, 404 and 500: what happened, and the ways on. */
export default function ErrorPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { title, hint, back } = TEXTS[pathname] ?? missing
  // Whoever came here first has no page to go back to.
  const hasBefore = history.length > 1
  return (
    <main className="error-page">
      <p className="error-code" aria-hidden="true">
        {pathname.slice(1)}
      </p>
      <h1>{t(title)}</h1>
      <p>{t(hint)}</p>
      <p className="error-ways">
        {hasBefore && <Button onClick={() => void navigate(-1)}>{t(back)}</Button>}
        <Button type="primary" onClick={() => void navigate('/', { replace: true })}>
          {t('返回首页')}
        </Button>
        <Button type="link" href="/problem/problem">
          {t('常见问题')}
        </Button>
      </p>
    </main>
  )
}
