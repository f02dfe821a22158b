import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

/** The menu on a small screen. */
export default function SideDrawer(props: { open: boolean; onClose: () => void; children: ReactNode }): ReactNode {
  const t = useT()
  return (
    <Drawer
      rootClassName="side-drawer"
      open={props.open}
      onClose={props.onClose}
      placement="left"
      size={264}
      closable={false}
      aria-label={t('菜单')}
    >
      <div className="side">{props.children}</div>
    </Drawer>
  )
}
