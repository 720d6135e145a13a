import { Toast as Base } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { IconButton } from './Button'
import { AreaStyles } from './AreaStyles'

const SHOWN_MS = 6000

/** Provides `useToast` to its children and renders the toasts. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider timeout={SHOWN_MS} limit={3}>
      <AreaStyles name="interactive" />
      {children}
      <Base.Portal>
        <Base.Viewport className="toasts">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

/** Shows a message that disappears after a few seconds. Nothing may depend on its being read. */
export function useToast(): (title: string, description?: string) => void {
  const { add } = Base.useToastManager()
  return (title, description) => void add({ title, description })
}

function ToastList() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="popup toast">
      <Base.Content>
        <Base.Title className="toast-title" />
        <Base.Description className="toast-description" />
      </Base.Content>
      <Base.Close render={<IconButton icon="close" label="Close" />} />
    </Base.Root>
  ))
}
