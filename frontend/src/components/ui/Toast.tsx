import { Toast as Base } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { Icon } from './Icon'
import { Styles } from './Styles'

const SHOWN_MS = 6000

/** Around what may say something in passing, with `useToast`. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Base.Provider timeout={SHOWN_MS} limit={3}>
      <Styles name="parts" />
      {children}
      <Base.Portal>
        <Base.Viewport className="toasts">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

/** Says something in passing: it goes away by itself, so nothing may depend on its being read. */
export function useToast(): (title: string, description?: string) => void {
  const { add } = Base.useToastManager()
  return (title, description) => void add({ title, description })
}

function List() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="popup toast">
      <Base.Content>
        <Base.Title className="toast-title" />
        <Base.Description className="toast-words" />
      </Base.Content>
      <Base.Close className="icon-button" aria-label="Close">
        <Icon name="close" />
      </Base.Close>
    </Base.Root>
  ))
}
