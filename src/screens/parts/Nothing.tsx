import { Empty } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Picture } from './drawings.tsx'
import './nothing.css'

const Drawing = lazy(() => import('./drawings.tsx'))

interface Props {
  /** What the drawing shows; a tray where nothing says more. */
  picture?: Picture
  /** What there is not, and what to do next, in the person's language. */
  text: ReactNode
  /** In a table or a small block: with less room around it. */
  small?: boolean
  /** The one button for what to do next. */
  children?: ReactNode
}

/** A place where there is nothing: a drawing, one sentence, one button. */
export function Nothing({ picture = 'tray', text, small = false, children }: Props) {
  const drawing = (
    <Suspense>
      <Drawing of={picture} />
    </Suspense>
  )
  return (
    <Empty className={small ? 'nothing small' : 'nothing'} image={drawing} description={text}>
      {children}
    </Empty>
  )
}
