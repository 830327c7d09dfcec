select current_setting('search_path')
