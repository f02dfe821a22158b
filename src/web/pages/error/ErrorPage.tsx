import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useT } from '../../i18n.ts'
import './error.css'

const TEXTS: Record<string, { title: string; hint: string }> = {
  '/403': { title: '您没有权限查看这个页面', hint: '如果工作需要，请联系管理员授权。' },
  '/404': { title: '没有找到这个页面', hint: '地址可能有误，或页面已经移走。' },
  '/500': { title: '系统出错了', hint: '请稍后重试；多次出现请联系管理员。' },
}

/** 403, 404 and 500: what happened, and the ways on. */
export default function ErrorPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const text = TEXTS[pathname] ?? TEXTS['/404']
  return (
    <main className="error-page">
      <p className="error-code" aria-hidden="true">
        {pathname.slice(1)}
      </p>
      <h1>{t(text?.title ?? '')}</h1>
      <p>{t(text?.hint ?? '')}</p>
      <p className="error-ways">
        <Button onClick={() => void navigate(-1)}>{t('返回上一页')}</Button>
        <Button type="primary" onClick={() => void navigate('/', { replace: true })}>
          {t('返回首页')}
        </Button>
      </p>
    </main>
  )
}
