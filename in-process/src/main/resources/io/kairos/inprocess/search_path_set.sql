select set_config('search_path', ?, true)
