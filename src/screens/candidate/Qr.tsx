import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

async function pathOf(text: string): Promise<{ size: number; path: string }> {
  const { create } = await import('qrcode')
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const dark = Array.from(data, (on, at) => (on ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : ''))
  return { size, path: dark.join('') }
}

/** A QR code, always dark on white with its quiet zone: cameras read it by day and by night. */
export function Qr({ text, label }: { text: string; label: string }): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: () => pathOf(text),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return <div className="my-qr" role="status" aria-label={t('加载中')} />
  const room = data.size + 8
  return (
    <svg className="my-qr" viewBox={`-4 -4 ${room} ${room}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M-4 -4h${room}v${room}h-${room}z`} fill="#fff" />
      <path d={data.path} fill="#000" />
    </svg>
  )
}
