import DefaultLoadingIcon from 'antd/es/button/DefaultLoadingIcon'
import { type ComponentProps, useState } from 'react'

/**
 * The turning sign of a button that works. A button that has not worked yet has none that could move away: what moves
 * things makes the browser draw twice before anybody sees the page.
 */
export default function LazyLoadingIcon(props: ComponentProps<typeof DefaultLoadingIcon>) {
  const { loading } = props
  const [hasWorked, setWorked] = useState(Boolean(loading))
  if (loading && !hasWorked) setWorked(true)
  return hasWorked ? <DefaultLoadingIcon {...props} /> : null
}
