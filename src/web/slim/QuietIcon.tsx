import AntdIcon, { type IconComponentProps } from '@ant-design/icons/es/components/AntdIconLight'
import { useT } from '../../platform/i18n/i18n.ts'

/** Icons that stand alone in buttons which the library makes, and what they are called there. */
const ALONE: Readonly<Record<string, string>> = {
  left: '上一页',
  right: '下一页',
  search: '搜索',
  'close-circle': '清空',
}

/**
 * An icon that is an ornament unless it was given a name or nothing else names its button: by itself it would add its
 * file's English name to the words it stands beside, read out as “plus 新增”.
 */
export default function QuietIcon(props: IconComponentProps) {
  const t = useT()
  const name = ALONE[props.icon.name]
  const silent = { 'aria-hidden': true, 'aria-label': undefined, role: undefined }
  const manner = props['aria-hidden'] || !name ? silent : { 'aria-label': t(name) }
  return <AntdIcon {...(props['aria-label'] === undefined && manner)} {...props} />
}
