import { HolderOutlined } from '@ant-design/icons'
import { useT } from '../platform/i18n/i18n.ts'
import type { Arranging } from './use-arranging.ts'
import './arranging.css'

interface Props {
  arranging: Arranging
  id: string
  /** What a person calls the row. */
  name: string
}

/** The handle by which a row is put at another place. */
export function DragHandle({ arranging, id, name }: Props) {
  const t = useT()
  const n = arranging.order.indexOf(id) + 1
  return (
    <button
      type="button"
      className="drag-handle"
      aria-label={t('移动{{name}}，第 {{n}} 位', { name, n })}
      title={t('拖动排序；也可按空格拿起，用上下键移动，再按空格放下，Esc 取消')}
      disabled={arranging.busy}
      {...arranging.handleOf(id)}
    >
      <HolderOutlined aria-hidden />
    </button>
  )
}

/** Says aloud where a lifted row is. */
export function ArrangingStatus({ arranging, nameOf }: { arranging: Arranging; nameOf: (id: string) => string }) {
  const t = useT()
  const { lifted, order } = arranging
  return (
    <div className="heard-only" role="status" aria-live="assertive">
      {lifted !== undefined &&
        t('{{name}}：第 {{n}} 位，共 {{total}} 位', {
          name: nameOf(lifted),
          n: order.indexOf(lifted) + 1,
          total: order.length,
        })}
    </div>
  )
}
