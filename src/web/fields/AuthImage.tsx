import { Image, Skeleton } from 'antd'
import { useT } from '../i18n.ts'
import { isAddress, usePicture } from './attach.ts'

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
  if (!url) return <Skeleton.Image active style={{ width, height }} />
  const style = { objectFit: 'cover', borderRadius: 6 } as const
  return <Image src={url} alt={alt ?? t('图片')} width={width} height={height} style={style} preview={preview} />
}
