import { bootstrapApplication } from '@angular/platform-browser'
import { QueryClient, provideTanStackQuery } from '@tanstack/angular-query-experimental'
import { withDevtools } from '@tanstack/angular-query-experimental/devtools'
import { AppComponent } from './app/app.component'

bootstrapApplication(AppComponent, {
  providers: [provideTanStackQuery(new QueryClient(), withDevtools())],
}).catch((error: unknown) => console.error(error))
