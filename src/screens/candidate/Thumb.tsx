import { FilePdfOutlined, PictureOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { attachFile } from '../../platform/files/contract.ts'
import { pictureUrl } from '../../platform/http/browser/call.ts'

/** Pixels of a preview's width; twice what is shown, for sharp displays. */
const WIDTH = 240

/** A protected picture, small. Files that are no picture show a mark. */
export function Thumb({ id, ext, alt }: { id: string; ext: string; alt: string }): ReactNode {
  const isPicture = /^\.?(jpe?g|png)$/i.test(ext)
  const { data, isError } = useQuery({
    queryKey: ['thumb', id],
    enabled: isPicture && id !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => pictureUrl(attachFile, { id, w: WIDTH, inline: 1 }, { signal, pass: 'all' }),
  })
  if (data) return <img className="my-thumb" src={data} alt={alt} />
  return (
    <span className="my-thumb">
      {isPicture && !isError ? <PictureOutlined aria-hidden /> : <FilePdfOutlined aria-hidden />}
    </span>
  )
}
