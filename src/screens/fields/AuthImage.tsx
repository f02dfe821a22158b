import { lazy, Suspense } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { isAddress, usePicture } from './attach.ts'

const LargePicture = lazy(() => import('./LargePicture.tsx'))

interface Props {
  /** Attachment id, or an address where the server answers one. */
  id: string | undefined
  /** What the picture shows, for those who do not see it. */
  alt?: string
  /** Pixels. */
  width?: number
  height?: number
  /** False for a picture that does not open larger. */
  preview?: boolean
}

/** A picture that needs the person's token: fetched with headers, shown from memory, larger on a click. */
export function AuthImage({ id, alt, width = 48, height = 48, preview = true }: Props) {
  const t = useT()
  const direct = id && isAddress(id) ? id : undefined
  const { data, isError } = usePicture(direct ? undefined : id)
  const url = direct ?? data
  if (!id) return null
  if (isError) return <span>{t('图片无法显示')}</span>
  const style = { width, height, objectFit: 'cover', borderRadius: 6, background: 'var(--jx-surface-2)' } as const
  if (!url) return <div style={style} role="status" aria-label={t('加载中')} />
  const picture = { src: url, alt: alt ?? t('图片'), width, height, style }
  const plain = <img {...picture} alt={picture.alt} />
  if (!preview) return plain
  return (
    <Suspense fallback={plain}>
      <LargePicture {...picture} />
    </Suspense>
  )
}
